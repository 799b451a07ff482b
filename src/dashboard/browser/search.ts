/** Longer than between two keys of somebody who types. */
const PAUSE_MS = 150

/** Lists that the server fills with what it finds while somebody types. Arrows go through them; Enter opens the first. */
export function searchAsTyped(): void {
  for (const list of document.querySelectorAll<HTMLElement>('[data-results]')) {
    const box = list.closest<HTMLElement>('.panel, dialog, main')
    const field = box?.querySelector<HTMLInputElement>('input[type="search"]')
    if (box && field) fillFrom(list, field, box)
  }
}

function fillFrom(list: HTMLElement, field: HTMLInputElement, box: HTMLElement): void {
  const { results = '', field: name = '' } = list.dataset
  let shown: string | null = null
  let pause = 0
  const load = async () => {
    const asked = field.value
    if (asked === shown) return
    shown = asked
    const response = await fetch(`${results}?${new URLSearchParams([[name, asked]])}`).catch(() => null)
    if (response?.redirected) return location.reload()
    const text = response?.ok ? await response.text() : ''
    if (field.value === asked) list.replaceChildren(...new DOMParser().parseFromString(text, 'text/html').body.children)
  }
  const links = () => [...list.querySelectorAll('a')]
  field.addEventListener('focus', load)
  field.addEventListener('input', () => {
    window.clearTimeout(pause)
    pause = window.setTimeout(load, PAUSE_MS)
  })
  field.form?.addEventListener('submit', async (event) => {
    event.preventDefault()
    event.stopPropagation()
    window.clearTimeout(pause)
    await load()
    const [first] = links()
    if (first) first.click()
    else field.form?.submit()
  })
  box.addEventListener('keydown', (event) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step === 0) return
    const stops = [field, ...links()]
    const place = stops.indexOf(document.activeElement as HTMLInputElement)
    event.preventDefault()
    stops.at((place + step) % stops.length)?.focus()
  })
  list.closest('details')?.addEventListener('toggle', ({ target }) => {
    if ((target as HTMLDetailsElement).open) field.focus()
  })
}

/** Opens the search over the page, by its link or by ⌘K (Ctrl K). */
export function goAnywhere(): void {
  const link = document.querySelector<HTMLElement>('[data-go]')
  const dialog = document.querySelector<HTMLDialogElement>('dialog.going')
  if (!link || !dialog?.showModal) return
  const open = (event: Event) => {
    event.preventDefault()
    event.stopPropagation()
    if (!dialog.open) dialog.showModal()
    dialog.querySelector('input')?.select()
  }
  const isApple = /Mac|iP/.test(navigator.platform)
  const hint = link.querySelector('kbd')
  if (hint) {
    hint.hidden = false
    if (isApple) hint.textContent = '⌘K'
  }
  link.addEventListener('click', open)
  dialog.addEventListener('click', ({ target }) => target === dialog && dialog.close())
  addEventListener('keydown', (event) => {
    if (event.key.toLowerCase() === 'k' && (isApple ? event.metaKey : event.ctrlKey)) open(event)
  })
}
