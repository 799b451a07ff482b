import { firstCharacters, withoutLaunch } from '../text.ts'
import { type Capture, listen, type PageSettings, type Undoing } from './page.ts'

/** Not `value`: frameworks store typed text there. */
const ATTRIBUTES = 'id class href name type title alt src placeholder'
const ATTRIBUTE_CHARACTERS = 255
const TEXT_CHARACTERS = 50
const WRITTEN = 'textarea,select,[contenteditable]'

export function captureClicks(settings: PageSettings, capture: Capture, undoing: Undoing): void {
  let isRepeated = false

  listen(undoing, 'click', (event: Event) => {
    // From the clicked element upwards, through shadow roots.
    const element = (event.composedPath() as HTMLElement[]).find(
      ({ localName, classList }) =>
        // The document and the window have none.
        classList &&
        (settings.auto_capture_tags.some((tag) => tag.toLowerCase() === localName) ||
          settings.auto_capture_classes.some((name) => classList.contains(name))),
    )
    if (!element || isRepeated) return
    // A clicked label also clicks its field: for the person, that is one click.
    isRepeated = true
    setTimeout(() => {
      isRepeated = false
    })
    const tag = element.localName
    const text = readText(element)
    const params: Record<string, string> = { tag, text }
    for (const name of ATTRIBUTES.split(' ')) {
      const value = element.getAttribute(name)
      if (value) params[name] = firstCharacters(withoutLaunch(value), ATTRIBUTE_CHARACTERS)
    }
    capture(`[TS] Click | ${text || tag}`, params)
  })
}

/** The element's visible name; never text typed into it, its parts or an element around it. */
function readText(element: HTMLElement): string {
  const { type, value } = element as HTMLInputElement
  const isWritten = element.closest(WRITTEN) || element.querySelector(WRITTEN)
  const said =
    // biome-ignore lint/performance/useDomNodeTextContent: what is hidden is no text, and published clients send this
    (!isWritten && (element.innerText || (/submit|button|reset/.test(type) && value))) ||
    element.getAttribute('aria-label') ||
    ''
  return firstCharacters(said.replace(/\s+/g, ' ').trim(), TEXT_CHARACTERS)
}
