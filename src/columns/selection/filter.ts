import { CONTEXT_PROPERTIES, type PropertyName, propertyOf } from '../../base/event.ts'
import { SOURCE_PARTS, type SourcePart } from '../../base/sources.ts'

/** The properties of a context by their names on the wire; `utm` is a second name of `start_parameter`. */
const ASKED = new Map(
  CONTEXT_PROPERTIES.flatMap((name) => (propertyOf(name).askedAs ?? []).map((asked) => [asked, name] as const)),
)

/** In front of a property of a context: what the user's first event said. */
const FIRST_PREFIX = 'first.'

/** The start parameter that acquired the user. */
export const ACQUIRED_BY = 'acquired_by'

const ACQUIRED_NAMES = [ACQUIRED_BY, ...SOURCE_PARTS] as const

/** What properties may be called on the wire. */
export const PROPERTY_NAMES = [...ASKED.keys(), `${FIRST_PREFIX}<one of these>`, ...ACQUIRED_NAMES, 'params.<name>']

/** What those of users may be called. */
export const USER_PROPERTY_NAMES = [...[...ASKED.keys()].map((name) => FIRST_PREFIX + name), ...ACQUIRED_NAMES]

/** Each property of a context once, by the first of its names. */
export const CONTEXT_FIELDS = CONTEXT_PROPERTIES.map((name) => ({ name, field: propertyOf(name).askedAs?.[0] ?? name }))

interface ContextProperty {
  readonly of: 'context'
  readonly name: PropertyName
}

/** A property of an event's user: one of the context of their first event, or what acquired them. */
export type UserProperty = { readonly of: 'first'; readonly name: PropertyName } | AcquiredProperty

/** The start parameter that acquired the user, or what the application's rules say that it means. */
interface AcquiredProperty {
  readonly of: 'acquired'
  readonly name: typeof ACQUIRED_BY | SourcePart
  /** The JSON of the rules, once the question has been given them. */
  readonly rules?: string
}

/** Which users belong to each cohort: 1 or 0 by ordinal. */
type CohortMasks = ReadonlyMap<string, Uint8Array>

/** Whether a user belongs to a cohort, or to any of several. */
interface CohortProperty {
  readonly of: 'cohort'
  /** Empty in filters, whose values are the names. */
  readonly name: string
  /** Who belongs to the cohorts of a question: found by each object, for its own users. */
  readonly masks?: CohortMasks
}

/** A property that has a code for each context or for each user. */
export type CodedProperty = ContextProperty | UserProperty | CohortProperty

/** A property of an event: one of its context, of its user, or a top-level parameter. */
export type EventProperty = CodedProperty | { readonly of: 'params'; readonly name: string }

const KINDS: ReadonlySet<unknown> = new Set<EventProperty['of']>(['context', 'first', 'acquired', 'cohort', 'params'])

/** Whether a part of a request is a property. A series also says `of`: what its mode measures. */
export function isProperty(value: object): value is EventProperty {
  return 'of' in value && KINDS.has(value.of) && !('mode' in value)
}

/** The properties of users, in the order of lists. */
export const USER_FIELDS: readonly UserProperty[] = [
  ...CONTEXT_PROPERTIES.map((name) => ({ of: 'first', name }) as const),
  ...ACQUIRED_NAMES.map((name) => ({ of: 'acquired', name }) as const),
]

/** Whether a property has a code for each user. */
export function isOfUser(property: EventProperty): property is UserProperty | CohortProperty {
  return property.of === 'cohort' || isUserProperty(property)
}

/** Whether some part of a query is a property of users that first touches tell. */
export function isUserProperty(value: object): value is UserProperty {
  return 'of' in value && (value.of === 'first' || value.of === 'acquired')
}

export const OPERATORS = [
  'is',
  'is not',
  'contains',
  'does not contain',
  'greater',
  'greater or equal',
  'less',
  'less or equal',
  'set is',
  'set is not',
] as const

export type Operator = (typeof OPERATORS)[number]

/** The operators that compare a whole value. */
const WHOLE_VALUE: ReadonlySet<string> = new Set<Operator>(['is', 'is not', 'set is', 'set is not'])

export function asksForWhole(operator: string): boolean {
  return WHOLE_VALUE.has(operator)
}

/** With several values, any of them may match; with a negated operator, none may. */
export interface Filter {
  readonly property: EventProperty
  readonly operator: Operator
  /** At least one. */
  readonly values: readonly string[]
}

/** Not on the wire: whether a parameter is a number as measures have it. */
export const IS_NUMERIC = 'is numeric'

/** A filter, or one that only the service itself uses. */
export type Condition =
  | Filter
  | { readonly property: EventProperty & { readonly of: 'params' }; readonly operator: typeof IS_NUMERIC }

/** The most groups that an answer shows. */
export const MAX_GROUPS = 20
/** The most properties to group by. */
export const MAX_GROUPED_BY = 2

/** Stands for a missing value. */
export const NONE = '(none)'

const PARAMS_PREFIX = 'params.'

/** A property by its name on the wire; null if there is none of that name. */
export function parseProperty(text: string): EventProperty | null {
  if (text.startsWith(PARAMS_PREFIX)) return { of: 'params', name: text.slice(PARAMS_PREFIX.length) }
  const acquired = USER_FIELDS.find(({ of, name }) => of === 'acquired' && name === text)
  if (acquired) return acquired
  const isFirst = text.startsWith(FIRST_PREFIX)
  const name = ASKED.get(isFirst ? text.slice(FIRST_PREFIX.length) : text)
  if (name === undefined) return null
  return isFirst ? { of: 'first', name } : { of: 'context', name }
}

/** The property that filters ask for cohorts by; groups name one behind a colon. */
export const COHORT = 'cohort'

/** The name of a property on the wire. */
export function nameOfProperty(property: EventProperty): string {
  if (property.of === 'params') return PARAMS_PREFIX + property.name
  if (property.of === 'acquired') return property.name
  if (property.of === 'cohort') return property.name === '' ? COHORT : `${COHORT}:${property.name}`
  const asked = propertyOf(property.name).askedAs?.[0] ?? property.name
  return property.of === 'first' ? FIRST_PREFIX + asked : asked
}

/** The users of a cohort. Throws if an object did not find them before it answered. */
export function maskOfCohort(property: EventProperty, name: string): Uint8Array {
  const mask = property.of === 'cohort' ? property.masks?.get(name) : undefined
  if (!mask) throw new Error(`the cohort ${name} is not resolved`)
  return mask
}

const JSON_NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/

/** Whether the four orderings compare a text as a number. */
export function isNumber(text: string): boolean {
  return JSON_NUMBER.test(text)
}
