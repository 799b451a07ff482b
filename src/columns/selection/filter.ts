import { CONTEXT_PROPERTIES, type PropertyName, propertyOf } from '../../base/event.ts'

/** The properties of a context by their names on the wire; `utm` is a second name of `start_parameter`. */
const ASKED = new Map(
  CONTEXT_PROPERTIES.flatMap((name) => (propertyOf(name).askedAs ?? []).map((asked) => [asked, name] as const)),
)

export const CONTEXT_NAMES = [...ASKED.keys()]

/** Each property of a context once, by the first of its names. */
export const CONTEXT_FIELDS = CONTEXT_PROPERTIES.map((name) => ({ name, field: propertyOf(name).askedAs?.[0] ?? name }))

/** By cohort: a 1 for each user who belongs to it, by ordinal. */
type CohortMasks = ReadonlyMap<string, Uint8Array>

/** A property of an event: one of its context, a top-level parameter, or whether its user belongs to a cohort. */
export type EventProperty =
  | { readonly of: 'context'; readonly name: PropertyName }
  | { readonly of: 'params'; readonly name: string }
  | {
      readonly of: 'cohort'
      /** Empty in filters, whose values are the names. */
      readonly name: string
      /** Who belongs to the cohorts of a question: found by each object, for its own users. */
      readonly masks?: CohortMasks
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

/** Not on the wire: whether a value is a number as measures have it. */
export const IS_NUMERIC = 'is numeric'

/** The operators that compare a whole value. */
const WHOLE_VALUE: ReadonlySet<string> = new Set<Operator>(['is', 'is not', 'set is', 'set is not'])

export function asksForWhole(operator: string): boolean {
  return WHOLE_VALUE.has(operator)
}

/** With several values, any of them may match; with a negated operator, none may. */
export interface Filter<O = Operator> {
  readonly property: EventProperty
  readonly operator: O
  /** At least one. */
  readonly values: readonly string[]
}

/** A filter, or one that only the service itself uses, without values. */
export type Condition = Filter<Operator | typeof IS_NUMERIC>

/** The most groups that an answer shows. */
export const MAX_GROUPS = 20

/** Stands for a missing value. */
export const NONE = '(none)'

const PARAMS_PREFIX = 'params.'

/** A property by its name on the wire; null if there is none of that name. */
export function parseProperty(text: string): EventProperty | null {
  if (text.startsWith(PARAMS_PREFIX)) return { of: 'params', name: text.slice(PARAMS_PREFIX.length) }
  const name = ASKED.get(text)
  return name === undefined ? null : { of: 'context', name }
}

/** The property that filters ask for cohorts by; groups name one behind a colon. */
export const COHORT = 'cohort'

/** The name of a property on the wire. */
export function nameOfProperty({ of, name }: EventProperty): string {
  if (of === 'cohort') return name === '' ? COHORT : `${COHORT}:${name}`
  return of === 'params' ? PARAMS_PREFIX + name : (propertyOf(name).askedAs?.[0] ?? name)
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
