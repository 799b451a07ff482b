export const NAME_CHARACTERS = 255
export const TEXT_CHARACTERS = 1024
export const CONTEXT_CHARACTERS = 128
/** As the messenger allows. */
export const START_PARAMETER_CHARACTERS = 64
const NOTHING = new Set(['', 'N/A'])

/** A text that a property can hold: well-formed, no control characters, cut to size; null where it says nothing. */
export function toText(value: unknown, characters = TEXT_CHARACTERS): string | null {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  if (typeof value !== 'string') return null
  const text = cut(clean(value), characters)
  return NOTHING.has(text.trim()) ? null : text
}

/** A text of an event's context: each new combination of them is a row of its own. */
export function toContextText(value: unknown): string | null {
  return toText(value, CONTEXT_CHARACTERS)
}

/** An event's name, at most 255 characters; one without a visible character is `(unnamed)`. */
export function toName(value: unknown): string {
  const name = typeof value === 'string' ? cut(clean(value), NAME_CHARACTERS) : ''
  return name.trim() === '' ? '(unnamed)' : name
}

/** A part of a name to look for, with its control characters as names keep them. */
export function toPartOfName(part: string): string {
  return clean(part)
}

export function toBoolean(value: unknown): boolean | null {
  return typeof value === 'boolean' ? value : null
}

/** At most so many characters (code points). */
export function cut(text: string, characters: number): string {
  return text.length <= characters ? text : [...text].slice(0, characters).join('')
}

/** Control characters become spaces, broken surrogates U+FFFD: neither survives a database or a terminal. */
function clean(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  return text.toWellFormed().replace(/[\u0000-\u001f\u007f]/g, ' ')
}
