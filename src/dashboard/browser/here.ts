import { isPlainClick, showSlow } from './waiting.ts'

/** Tells that the content of the page is another one. */
export const CONTENT_CHANGED = 'mauve-content'

/** The address that the page shows; its anchor does not change what that is. */
let shown = pageOf(location)
let questions = 0
let isAsking = false
/** The field that was changed last: when it applies, the focus may be on its way elsewhere. */
let changed: string | null = null

function pageOf({ pathname, search }: Pick<Location, 'pathname' | 'search'>): string {
  return pathname + search
}

/**
 * Links and forms with `data-here` ask for another view of the same page: it comes without reloading the page, so what
 * somebody looks at stays in its place. Forms apply when a field changes.
 */
export function changeHere(): void {
  addEventListener('click', followHere, true)
  addEventListener('submit', sendHere, true)
  addEventListener('change', ({ target }) => {
    const field = target instanceof HTMLElement ? target : null
    const form = field?.closest<HTMLFormElement>('form[data-here]')
    // What is chosen within a menu or a panel takes a button: there several fields make one choice.
    if (!form || !field?.getAttribute('name') || field.closest('.menu, .panel') || !isFilledIn(form, field)) return
    changed = selectorOf(field)
    form.requestSubmit()
  })
  addEventListener('input', stayIn)
  // A panel that opens; this event does not bubble.
  addEventListener('toggle', stayIn, true)
  addEventListener('popstate', () => {
    if (pageOf(location) !== shown) show(location.href, null)
  })
}

/** Keeps the page if somebody types or opens a panel while the next content is on its way; what they typed is sent with the next change. */
function stayIn({ target }: Event): void {
  if (!isAsking || !(target as Element).closest?.('form[data-here]')) return
  questions++
  isAsking = false
  document.body.removeAttribute('aria-busy')
}

/** A choice that needs another field waits until that one is filled in. */
function isFilledIn(form: HTMLFormElement, field: HTMLElement): boolean {
  const name = field instanceof HTMLSelectElement ? field.selectedOptions[0]?.dataset.needs : undefined
  const needed = name ? form.querySelector<HTMLSelectElement>(`[name="${CSS.escape(name)}"]`) : null
  if (needed?.value !== '') return true
  needed.focus()
  return false
}

function followHere(event: MouseEvent): void {
  const link = (event.target as Element).closest?.<HTMLAnchorElement>('a[data-here]')
  if (!link || !isPlainClick(event)) return
  event.preventDefault()
  event.stopImmediatePropagation()
  ask(link.href)
}

function sendHere(event: SubmitEvent): void {
  const form = event.target
  if (!(form instanceof HTMLFormElement) || form.dataset.here === undefined) return
  event.preventDefault()
  event.stopImmediatePropagation()
  const fields = [...new FormData(form, event.submitter)].map(([name, value]) => [name, String(value)])
  const address = new URL(form.getAttribute('action') || location.pathname, location.href)
  address.search = String(new URLSearchParams(fields.filter(([, value]) => value !== '')))
  ask(address.href)
}

function ask(address: string): void {
  show(address, selectorOf(document.activeElement) ?? changed)
}

/** An element as the next content has it, too. */
function selectorOf(element: Element | null): string | null {
  const { here } = (element as HTMLElement | null)?.dataset ?? {}
  return here ? `[data-here="${CSS.escape(here)}"]` : element?.id ? `#${CSS.escape(element.id)}` : null
}

async function show(address: string, asking: string | null): Promise<void> {
  const question = ++questions
  isAsking = true
  const timer = showSlow()
  const response = await fetch(address).catch(() => null)
  const text = response?.headers.get('content-type')?.startsWith('text/html') ? await response.text() : ''
  window.clearTimeout(timer)
  // Somebody was faster than the answer.
  if (question !== questions) return
  isAsking = false
  const next = new DOMParser().parseFromString(text, 'text/html')
  const [main, here] = [next.querySelector('main'), document.querySelector('main')]
  const found = new URL(response?.url || address, location.href)
  // Whoever is signed out meanwhile is led to another page.
  if (!main || !here || found.pathname !== location.pathname) return location.assign(address)
  document.body.removeAttribute('aria-busy')
  document.title = next.title
  // Whoever went on meanwhile stays there.
  const focus = selectorOf(document.activeElement) ?? asking
  here.replaceWith(main)
  shown = pageOf(found)
  if (shown !== pageOf(location)) history.pushState(null, '', found)
  if (focus) document.querySelector<HTMLElement>(focus)?.focus({ preventScroll: true })
  dispatchEvent(new Event(CONTENT_CHANGED))
}
