import { toCountryName } from '../base/text/country.ts'
import { NONE } from '../columns/selection/filter.ts'

/** What is known of a property's values before any event has them. */
interface KnownValues {
  readonly values: () => readonly string[]
  /** Undefined for a value that has no name beside itself. */
  readonly labelOf: (value: string) => string | undefined
}

const LANGUAGES = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })

/** The messenger's words for its own apps. */
const APPS = [
  ['android', 'Android'],
  ['android_x', 'Android X'],
  ['ios', 'iOS'],
  ['macos', 'macOS'],
  ['tdesktop', 'Desktop'],
  ['unigram', 'Unigram'],
  ['weba', 'Web A'],
  ['webk', 'Web K'],
] as const

/** The words that are taken for either value of a flag, beside its label. */
const FLAG_WORDS: ReadonlyMap<string, string> = new Map([
  ['true', 'yes'],
  ['false', 'no'],
])

const FLAGS: ReadonlyMap<string, KnownValues> = new Map([
  ['is_premium', flag('Premium', 'Not premium')],
  ['write_access', flag('Yes', 'No')],
  ['verified', flag('Verified', 'Not verified')],
])

const KNOWN: ReadonlyMap<string, KnownValues> = new Map([
  ...FLAGS,
  ['country', { values: once(countries), labelOf: () => undefined }],
  ['language', { values: once(languages), labelOf: toLanguage }],
  ['device', labelled(APPS)],
])

/** A value of a property for people: languages by name, yes and no in words. */
export function labelOfValue(property: string, value: string): string {
  return KNOWN.get(property)?.labelOf(value) ?? value
}

/**
 * The values that somebody means who types one or its label, in any case: the reverse of `labelOfValue`. A text that is a value
 * as it stands, and one that is neither, stays as it is.
 */
export function valuesOfLabel(property: string, text: string, occurring: readonly string[]): readonly string[] {
  const known = [NONE, ...(KNOWN.get(property)?.values() ?? [])]
  if (occurring.includes(text) || known.includes(text)) return [text]
  const typed = text.trim().toLowerCase()
  const isMeant = (value: string) => wordsOf(property, value).some((word) => word.toLowerCase() === typed)
  const meant = occurring.filter(isMeant)
  const found = meant.length > 0 ? meant : known.filter(isMeant)
  return found.length > 0 ? found : [text]
}

/** Both values of a property that is true or false; none of any other property. */
export function flagValues(property: string): readonly string[] {
  return FLAGS.get(property)?.values() ?? []
}

function wordsOf(property: string, value: string): string[] {
  const word = FLAGS.has(property) ? FLAG_WORDS.get(value) : undefined
  return [value, labelOfValue(property, value), ...(word === undefined ? [] : [word])]
}

function flag(yes: string, no: string): KnownValues {
  return labelled([
    ['true', yes],
    ['false', no],
  ])
}

function labelled(pairs: readonly (readonly [value: string, label: string])[]): KnownValues {
  const labels = new Map(pairs)
  return { values: () => [...labels.keys()], labelOf: (value) => labels.get(value) }
}

function toLanguage(code: string): string | undefined {
  try {
    return LANGUAGES.of(code)
  } catch {
    return undefined
  }
}

function languages(): string[] {
  const isCurrent = (code: string) => Intl.getCanonicalLocales(code)[0] === code
  return letterPairs().filter((code) => isCurrent(code) && toLanguage(code) !== undefined)
}

function countries(): string[] {
  const names = letterPairs().map((pair) => [pair, toCountryName(pair)] as const)
  return [...new Set(names.flatMap(([pair, name]) => (name === null || name === pair ? [] : [name])))]
}

/** All codes of two letters, of which some name a language and some a country. */
function letterPairs(): string[] {
  const letters = [...'abcdefghijklmnopqrstuvwxyz']
  return letters.flatMap((first) => letters.map((second) => first + second))
}

function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}
