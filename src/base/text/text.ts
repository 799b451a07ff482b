/** The longest name of an event, or of a parameter. */
export const NAME_CHARACTERS = 255
/** The longest text of a parameter. */
export const TEXT_CHARACTERS = 1024
export const CONTEXT_CHARACTERS = 128
/** The messenger's limit for mini-apps (`startapp`); for bots (`/start`) it is 64. */
export const START_PARAMETER_CHARACTERS = 512

/** A text as a property stores it: well-formed, without control characters, truncated; null if it is empty. */
export function toText(value: unknown, characters = TEXT_CHARACTERS): string | null {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  if (typeof value !== 'string') return null
  const text = cut(clean(value), characters)
  return isNothing(text.trim()) ? null : text
}

function isNothing(trimmed: string): boolean {
  return trimmed === '' || trimmed === 'N/A'
}

/** A text of an event's context. Each new combination of context values takes a row. */
export function toContextText(value: unknown): string | null {
  return toText(value, CONTEXT_CHARACTERS)
}

/** An event's name, cut to its longest; a blank one becomes `(unnamed)`. */
export function toName(value: unknown): string {
  const name = typeof value === 'string' ? cut(clean(value), NAME_CHARACTERS) : ''
  return name.trim() === '' ? '(unnamed)' : name
}

/** A part of a name to search for, with control characters replaced as in stored names. */
export function toPartOfName(part: string): string {
  return clean(part)
}

export function toBoolean(value: unknown): boolean | null {
  return typeof value === 'boolean' ? value : null
}

/** Truncates to this many characters (code points). */
export function cut(text: string, characters: number): string {
  return text.length <= characters ? text : [...text].slice(0, characters).join('')
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: it finds them
const CONTROL = /[\u0000-\u001f\u007f]/

/** Control characters become spaces, broken surrogates U+FFFD: neither survives a database or a terminal. */
function clean(text: string): string {
  if (text.isWellFormed() && !CONTROL.test(text)) return text
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it replaces them
  return text.toWellFormed().replace(/[\u0000-\u001f\u007f]/g, ' ')
}
