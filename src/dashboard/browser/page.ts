import { CONTENT_CHANGED, changeHere } from './here.ts'
import { changeRowsHere } from './rows.ts'
import { goAnywhere, searchAsTyped } from './search.ts'
import { sortTables } from './sort.ts'
import { isPlainClick, showSlow } from './waiting.ts'

function sendAtOnce(): void {
  document.querySelector<HTMLFormElement>('form[data-send-at-once]')?.requestSubmit()
}

/**
 * The messenger says who opened a mini-app in the fragment of its address, which no server sees. Any link can have one: whoever
 * is signed in is asked first.
 */
function signInByMessenger(): void {
  const form = document.querySelector<HTMLFormElement>('form[data-messenger]')
  const field = form?.querySelector<HTMLInputElement>('[name="init_data"]')
  const initData = new URLSearchParams(location.hash.slice(1)).get('tgWebAppData')
  if (!form || !field || !initData) return
  field.value = initData
  if (form.dataset.messenger === 'ask') form.hidden = false
  else form.requestSubmit()
}

/** The browser says that it waits only at its edge, and inside the messenger not even there. */
function sayWhenSlow(): void {
  addEventListener('submit', showSlow)
  addEventListener('click', (event) => {
    const link = (event.target as Element).closest?.('a')
    const isHere = link && !link.target && link.origin === location.origin && !link.download
    if (isHere && isPlainClick(event) && !link.getAttribute('href')?.startsWith('#')) showSlow()
  })
  // Back from another page the browser may show this one as it was left.
  addEventListener('pageshow', () => document.body.removeAttribute('aria-busy'))
}

/** Where there is little room not all tabs are in view; the one of this page is. */
function showCurrentTab(): void {
  const tabs = document.querySelector<HTMLElement>('.rail')
  const current = tabs?.querySelector<HTMLElement>('[aria-current]')
  if (tabs && current) tabs.scrollLeft = current.offsetLeft - (tabs.clientWidth - current.offsetWidth) / 2
}

/** Settings were one long page: a link to a part of it leads to the page that has it now. */
function leadOnFromOldAnchor(): void {
  const anchor = location.hash.slice(1)
  if (anchor === '' || document.getElementById(anchor)) return
  const link = document.querySelector<HTMLAnchorElement>(`a[data-parts~="${CSS.escape(anchor)}"]`)
  if (link) location.replace(`${link.href}#${anchor}`)
}

function closeMenusOutside(): void {
  const menus = () => document.querySelectorAll<HTMLDetailsElement>('details.menu[open]')
  addEventListener('click', ({ target }) => {
    for (const menu of menus()) if (!menu.contains(target as Node)) menu.open = false
  })
  addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape') return
    for (const menu of menus()) {
      menu.open = false
      menu.querySelector('summary')?.focus()
    }
  })
}

interface OfferedValues {
  readonly values: readonly { readonly value: string; readonly label: string }[]
  /** Whether these are all values, and few enough for a select. */
  readonly isShort: boolean
}

const NOTHING: OfferedValues = { values: [], isShort: false }

function offerValuesOfFilters(): void {
  for (const form of document.querySelectorAll<HTMLElement>('.panel[data-values]')) {
    const property = form.querySelector<HTMLSelectElement>('[name^="filter-prop"]')
    const operator = form.querySelector<HTMLSelectElement>('[name^="filter-op"]')
    const fields = form.querySelectorAll<HTMLInputElement>('input[name^="filter-value"]')
    if (!property || !operator) continue
    let offered = NOTHING
    const show = () => {
      // A part of a value, or a bound, is typed.
      const isWhole = operator.selectedOptions[0]?.dataset.whole !== undefined
      for (const field of fields) offerIn(field, { ...offered, isShort: offered.isShort && isWhole })
    }
    const load = async () => {
      const period = ['period', 'start', 'end'].flatMap((name) =>
        new URLSearchParams(location.search).getAll(name).map((value) => [name, value]),
      )
      const asked = property.value
      const found = await valuesAt(
        `${form.dataset.values}?${new URLSearchParams([...period, ['property', asked], ['missing', '']])}`,
      )
      if (property.value !== asked) return
      offered = found
      show()
    }
    const offerOperators = () => {
      for (const option of operator.options) {
        const { only } = option.dataset
        const isFor = only
          ?.split(' ')
          .some((name) => property.value === name || (name.endsWith('.') && property.value.startsWith(name)))
        option.hidden = isFor === false
        option.disabled = isFor === false
      }
      if (operator.selectedOptions[0]?.disabled) operator.selectedIndex = 0
    }
    offerOperators()
    property.addEventListener('change', () => {
      offerOperators()
      offered = NOTHING
      show()
      for (const field of fields) field.value = ''
      load()
    })
    operator.addEventListener('change', show)
    form.closest('details')?.addEventListener('toggle', load)
  }
}

function offerValuesOfFields(): void {
  for (const field of document.querySelectorAll<HTMLInputElement>('input[data-values]')) {
    const load = async () => offerIn(field, await valuesAt(field.dataset.values ?? ''))
    field.closest('details')?.addEventListener('toggle', load, { once: true })
  }
}

async function valuesAt(address: string): Promise<OfferedValues> {
  const response = await fetch(address).catch(() => null)
  return response?.ok ? response.json() : NOTHING
}

/** A few values are chosen from, in place of the field; of many, the field shows those that fit what is typed. */
function offerIn(field: HTMLInputElement, { values, isShort }: OfferedValues): void {
  const { list, previousElementSibling: before } = field
  const options = values.map(({ value, label }) => new Option(label, value))
  const chosen = before instanceof HTMLSelectElement ? before.value : field.value
  if (before instanceof HTMLSelectElement) before.remove()
  field.hidden = isShort
  field.disabled = isShort
  if (!isShort) {
    list?.replaceChildren(...options)
    return
  }
  const choice = document.createElement('select')
  choice.name = field.name
  choice.required = field.required
  if (!field.required) choice.add(new Option('', ''))
  choice.append(...options)
  if (chosen !== '' && !values.some(({ value }) => value === chosen)) choice.add(new Option(chosen, chosen))
  if (chosen !== '') choice.value = chosen
  field.before(choice)
}

/** Says when the application's days end, if it is not at the reader's midnight. */
function sayWhenDaysEnd(): void {
  const zone = document.querySelector<HTMLElement>('[data-days-end]')
  if (!zone) return
  const end = new Date(zone.dataset.daysEnd ?? '')
  const time = end.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
  if (time !== '00:00') zone.append(`, days end at ${time} your time`)
}

/** Suggests the browser's time zone for a new application. */
function offerZone(): void {
  const field = document.querySelector<HTMLInputElement>('[data-browser-zone]')
  if (field) field.value = Intl.DateTimeFormat().resolvedOptions().timeZone || field.value
}

/** A page that shows what a form made, once: loaded again it would make another, so the address becomes another page's. */
function forgetForm(): void {
  const shown = document.querySelector<HTMLElement>('[data-shown-once]')
  if (shown) history.replaceState(null, '', shown.dataset.shownOnce)
}

/** One click copies what is there to be copied. Where the browser refuses, as in some of the messengers, it is selected. */
function offerCopies(): void {
  for (const box of document.querySelectorAll<HTMLElement>('.copyable')) {
    const code = box.querySelector('code')
    if (!code) continue
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'quiet'
    button.textContent = 'Copy'
    button.addEventListener('click', async () => {
      try {
        await navigator.clipboard.writeText(code.textContent)
        button.textContent = 'Copied'
      } catch {
        getSelection()?.selectAllChildren(code)
        button.textContent = 'Selected'
      }
    })
    box.append(button)
  }
}

/** Asks for a fragment of the page again and again. Nobody is asked while nobody looks. */
function poll(address: string, everyMs: number, show: (fragment: string) => void): void {
  const ask = async () => {
    if (document.hidden) return
    const response = await fetch(address).catch(() => null)
    // Whoever is signed out meanwhile is led to another page.
    if (response?.redirected || response?.status === 404) end()
    else if (response?.ok) show(await response.text())
  }
  const timer = window.setInterval(ask, everyMs)
  const end = () => {
    window.clearInterval(timer)
    document.removeEventListener('visibilitychange', ask)
  }
  // Whoever comes back sees what is now.
  document.addEventListener('visibilitychange', ask)
}

const CONNECTION_MS = 3_000

/** The light for the first event turns green by itself, and tells the latest event. */
function watchConnection(): void {
  const box = document.querySelector<HTMLElement>('[data-connection]')
  if (!box?.dataset.connection) return
  poll(box.dataset.connection, CONNECTION_MS, (fragment) => {
    const light = new DOMParser().parseFromString(fragment, 'text/html').querySelector('[data-light="connected"]')
    // What was seen stays: of a key only the memory of the application's object knows.
    if (light) box.replaceChildren(light)
  })
}

const LIVE_MS = 5_000

/** Shows the active users and the newest events. It keeps what has the keyboard's focus. */
function watchLive(): void {
  for (const box of document.querySelectorAll<HTMLElement>('[data-live]')) {
    poll(box.dataset.live ?? '', LIVE_MS, (fragment) => {
      const { activeElement } = document
      if (activeElement !== box && box.contains(activeElement)) return
      box.replaceChildren(...new DOMParser().parseFromString(fragment, 'text/html').body.childNodes)
    })
  }
}

/** What is bound to the content of the page. */
function furnish(): void {
  offerValuesOfFilters()
  offerValuesOfFields()
  sayWhenDaysEnd()
  offerCopies()
  sortTables()
}

// Last, when all constants above have their values.
sendAtOnce()
signInByMessenger()
changeRowsHere()
changeHere()
sayWhenSlow()
closeMenusOutside()
showCurrentTab()
leadOnFromOldAnchor()
searchAsTyped()
goAnywhere()
furnish()
addEventListener(CONTENT_CHANGED, furnish)
offerZone()
forgetForm()
watchConnection()
watchLive()
