import { toCountryName } from '../../base/text/country.ts'
import { COHORT, NONE } from '../../columns/selection/filter.ts'

/** What the properties of a context are called on the pages, in the order in which they are offered. */
const PROPERTY_LABELS: ReadonlyMap<string, string> = new Map([
  ['country', 'Country'],
  ['city', 'City'],
  ['language', 'Language'],
  ['is_premium', 'Premium'],
  ['os', 'OS'],
  ['device', 'Telegram client'],
  ['brand', 'Device brand'],
  ['model', 'Device model'],
  ['start_parameter', 'Start parameter'],
  ['referrer_type', 'Opened from (chat type)'],
  ['write_access', 'Allows messages'],
  ['verified', 'Verified'],
])

export const CONTEXT_PROPERTIES = [...PROPERTY_LABELS.keys()]

/** What the properties of an event's user are called, in the order in which they are offered. */
const USER_LABELS: ReadonlyMap<string, string> = new Map([
  ['source', 'Source'],
  ['medium', 'Medium'],
  ['campaign', 'Campaign'],
  ['content', 'Content'],
  ['referrer', 'Referrer'],
  ['acquired_by', 'Acquired by (start parameter)'],
  ...[...PROPERTY_LABELS].map(([name, label]) => [`first.${name}`, `${label} at first visit`] as const),
])

export const USER_PROPERTIES = [...USER_LABELS.keys()]

export function labelOfProperty(property: string): string {
  if (property === COHORT || property.startsWith(`${COHORT}:`)) return property.replace(/^cohort:?/, 'Cohort ').trim()
  const name = property.replace(/^((first\.)?)utm$/, '$1start_parameter')
  return PROPERTY_LABELS.get(name) ?? USER_LABELS.get(name) ?? property.replace(/^params\./, '')
}

/** Values of `first.country` are labelled like those of `country`. */
function valued(property: string): string {
  return property.replace(/^first\./, '')
}

/** The words of the pages for each operator: `Country is Germany or Austria`. */
const OPERATOR_LABELS: ReadonlyMap<string, string> = new Map([
  ['is', 'is'],
  ['is not', 'is not'],
  ['contains', 'contains'],
  ['does not contain', 'does not contain'],
  ['greater', '>'],
  ['greater or equal', '≥'],
  ['less', '<'],
  ['less or equal', '≤'],
  ['set is', 'is exactly the set'],
  ['set is not', 'is not exactly the set'],
])

export function labelOfOperator(operator: string): string {
  return OPERATOR_LABELS.get(operator) ?? operator
}

/** A text that is no filter stays as it is. */
export function describeFilter(text: string): string {
  const filter = parse(text)
  if (!filter) return text
  const { prop, op } = filter
  const labels = new Set(filter.values.map((value) => labelOfValue(prop, String(value))))
  const [label = ''] = labels
  // "Not premium" needs no "Premium is".
  const isPlain = op === 'is' && labels.size === 1 && flagValues(prop).length > 0
  if (isPlain && label.toLowerCase().endsWith(labelOfProperty(prop).toLowerCase())) return label
  return `${labelOfProperty(prop)} ${labelOfOperator(op)} ${[...labels].join(' or ')}`
}

interface ReadFilter {
  readonly prop: string
  readonly op: string
  readonly values: readonly (string | number | boolean)[]
}

function parse(text: string): ReadFilter | null {
  try {
    const { prop, op, values } = JSON.parse(text)
    const isFilter = typeof prop === 'string' && typeof op === 'string' && Array.isArray(values)
    return isFilter && values.every(isScalar) ? { prop, op, values } : null
  } catch {
    return null
  }
}

function isScalar(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value)
}

/** The operation's own name if it is unclear which value belongs to which property. */
export function labelOfGroup(properties: readonly string[], name: string): string {
  const values = properties.length === 1 ? [name] : name.split(', ')
  if (values.length !== properties.length) return name
  return values.map((value, place) => labelOfValue(properties[place] ?? '', value)).join(', ')
}

/** `Country and OS` */
export function labelOfGrouping(properties: readonly string[]): string {
  return properties.map(labelOfProperty).join(' and ')
}

/** The values of a property that are known before any event has them. */
interface KnownValues {
  readonly values: () => readonly string[]
  readonly labelOf: (value: string) => string | undefined
}

const LANGUAGES = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })

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

/** Accepted besides the label. */
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
  return KNOWN.get(valued(property))?.labelOf(value) ?? value
}

/**
 * The values that somebody means who types one or its label, in any case: the reverse of `labelOfValue`. A text that is a value
 * as it stands, and one that is neither, stays as it is.
 */
export function valuesOfLabel(property: string, text: string, occurring: readonly string[]): readonly string[] {
  const known = [NONE, ...(KNOWN.get(valued(property))?.values() ?? [])]
  if (occurring.includes(text) || known.includes(text)) return [text]
  const typed = text.trim().toLowerCase()
  const isMeant = (value: string) => wordsOf(property, value).some((word) => word.toLowerCase() === typed)
  const meant = occurring.filter(isMeant)
  const found = meant.length > 0 ? meant : known.filter(isMeant)
  return found.length > 0 ? found : [text]
}

/** Both values of a flag; none of any other property. */
export function flagValues(property: string): readonly string[] {
  return FLAGS.get(valued(property))?.values() ?? []
}

function wordsOf(property: string, value: string): string[] {
  const word = FLAGS.has(valued(property)) ? FLAG_WORDS.get(value) : undefined
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

const SCRIPTS = new Intl.DisplayNames('en', { type: 'script', fallback: 'none' })
const REGIONS = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })

/** Whether a text is the code of a known language, perhaps with a known script and region, and nothing else. */
export function isLanguage(text: string): boolean {
  if (!/^[a-z]{2,3}(-[a-z]{4})?(-[a-z]{2})?$/i.test(text)) return false
  const { language, script, region } = new Intl.Locale(text)
  const isScript = script === undefined || SCRIPTS.of(script) !== undefined
  const isRegion = region === undefined || REGIONS.of(region) !== undefined
  return toLanguage(language) !== undefined && isScript && isRegion
}

/** Whether a text is the name of a country, as events have it. */
export function isCountry(text: string): boolean {
  return KNOWN.get('country')?.values().includes(text) ?? false
}

function languages(): string[] {
  const isCurrent = (code: string) => Intl.getCanonicalLocales(code)[0] === code
  return letterPairs().filter((code) => isCurrent(code) && toLanguage(code) !== undefined)
}

function countries(): string[] {
  const names = letterPairs().map((pair) => [pair, toCountryName(pair)] as const)
  return [...new Set(names.flatMap(([pair, name]) => (name === null || name === pair ? [] : [name])))]
}

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
