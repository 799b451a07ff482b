import { NONE } from '../reports/filters/filter.ts'

/** What the properties of a context are called on the pages, in the order in which they are offered. */
const PROPERTY_LABELS: Readonly<Record<string, string>> = {
  country: 'Country',
  city: 'City',
  language: 'Language',
  is_premium: 'Premium',
  os: 'System',
  device: 'Messenger app',
  brand: 'Brand',
  model: 'Model',
  start_parameter: 'Start parameter',
  referrer_type: 'Opened from',
  write_access: 'May be written to',
  verified: 'Verified',
}

export const CONTEXT_PROPERTIES = Object.keys(PROPERTY_LABELS)

/** A property for people; a parameter of events by its own name. */
export function labelOfProperty(property: string): string {
  if (property === 'utm') return PROPERTY_LABELS.start_parameter as string
  return PROPERTY_LABELS[property] ?? property.replace(/^params\./, '')
}

const LANGUAGES = new Intl.DisplayNames('en', { type: 'language', fallback: 'code' })

/** A value of a property for people: languages by name, yes and no in words. */
export function labelOfValue(property: string, value: string): string {
  if (value === NONE) return 'not known'
  return VALUE_LABELS[property]?.(value) ?? value
}

const VALUE_LABELS: Readonly<Record<string, (value: string) => string | undefined>> = {
  language: toLanguage,
  is_premium: (value) => ({ true: 'with premium', false: 'without premium' })[value],
  write_access: (value) => ({ true: 'yes', false: 'no' })[value],
  verified: (value) => ({ true: 'verified', false: 'not verified' })[value],
  device: (value) => DEVICES[value],
}

/** The messenger's words for its own apps. */
const DEVICES: Readonly<Record<string, string>> = {
  android: 'Android',
  android_x: 'Android X',
  ios: 'iOS',
  macos: 'macOS',
  tdesktop: 'Desktop',
  unigram: 'Unigram',
  weba: 'Web A',
  webk: 'Web K',
}

function toLanguage(code: string): string {
  try {
    return LANGUAGES.of(code) ?? code
  } catch {
    return code
  }
}

/** How the pages word each operator: `Country is Germany or Austria`. */
export const OPERATOR_LABELS: Readonly<Record<string, string>> = {
  is: 'is',
  'is not': 'is not',
  contains: 'contains',
  'does not contain': 'does not contain',
  greater: 'is more than',
  'greater or equal': 'is at least',
  less: 'is less than',
  'less or equal': 'is at most',
  'set is': 'holds exactly',
  'set is not': 'does not hold exactly',
}

/** A filter of an address in words; a text that is none as it stands there. */
export function describeFilter(text: string): string {
  const filter = parse(text)
  if (!filter) return text
  const values = filter.values.map((value) => labelOfValue(filter.prop, String(value)))
  return `${labelOfProperty(filter.prop)} ${OPERATOR_LABELS[filter.op] ?? filter.op} ${values.join(' or ')}`
}

function parse(text: string): { prop: string; op: string; values: unknown[] } | null {
  try {
    const { prop, op, values } = JSON.parse(text)
    return typeof prop === 'string' && typeof op === 'string' && Array.isArray(values) ? { prop, op, values } : null
  } catch {
    return null
  }
}
