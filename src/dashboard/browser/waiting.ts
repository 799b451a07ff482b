/** A page that waits longer than this shows that it is loading. */
const SLOW_MS = 400

/** Shows that the page is loading, if that takes long. Returns the timer. */
export function showSlow(): number {
  return window.setTimeout(() => document.body.setAttribute('aria-busy', 'true'), SLOW_MS)
}

/** Whether a click opens a link in this window. */
export function isPlainClick({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean {
  return button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey
}
