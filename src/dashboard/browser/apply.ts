/** The field that somebody was in when a form applied itself. */
const FOCUSED = 'applied-from'

/**
 * Forms that ask apply a change themselves. What is in a panel waits for the panel's button: there several fields make one choice.
 * Whoever types or opens a panel while the next page is on its way keeps this one; what they typed goes with the next change.
 */
export function applyChanges(): void {
  let isApplying = false
  addEventListener('change', ({ target }) => {
    const field = target as HTMLInputElement
    if (!field.form?.matches('[data-apply]') || field.closest('.panel') || !isAnswerable(field.form)) return
    isApplying = true
    keep(field.id)
    field.form.requestSubmit()
  })
  const stay = ({ target }: Event) => {
    if (!isApplying || !(target as HTMLElement).closest?.('[data-apply]')) return
    isApplying = false
    window.stop()
    document.body.removeAttribute('aria-busy')
  }
  addEventListener('input', stay)
  // A panel that opens; this event does not bubble.
  addEventListener('toggle', stay, true)
  const left = takeKept()
  if (left) document.getElementById(left)?.focus({ preventScroll: true })
}

/** A funnel of a single step asks nothing yet. */
function isAnswerable(form: HTMLFormElement): boolean {
  const least = Number(form.dataset.apply)
  const named = [...form.querySelectorAll<HTMLInputElement>('[name="events"]')].filter(
    ({ value }) => value.trim() !== '',
  )
  return named.length >= least && form.reportValidity()
}

// The browser may refuse to store anything.
function keep(id: string): void {
  try {
    sessionStorage.setItem(FOCUSED, id)
  } catch {}
}

function takeKept(): string | null {
  try {
    const id = sessionStorage.getItem(FOCUSED)
    sessionStorage.removeItem(FOCUSED)
    return id
  } catch {
    return null
  }
}
