import { flagValues, labelOfValue } from './value-labels.ts'

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

/** A property for people; a parameter of events by its own name. */
export function labelOfProperty(property: string): string {
  return PROPERTY_LABELS.get(property === 'utm' ? 'start_parameter' : property) ?? property.replace(/^params\./, '')
}

/** How the pages word each operator: `Country is Germany or Austria`. */
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

/** A filter of an address in words; a text that is none as it stands there. */
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

/** What a group is called for people; where it cannot be told which value is whose, as the operation calls it. */
export function labelOfGroup(properties: readonly string[], name: string): string {
  const values = properties.length === 1 ? [name] : name.split(', ')
  if (values.length !== properties.length) return name
  return values.map((value, place) => labelOfValue(properties[place] ?? '', value)).join(', ')
}

/** What is grouped by: `Country and OS`. */
export function labelOfGrouping(properties: readonly string[]): string {
  return properties.map(labelOfProperty).join(' and ')
}
