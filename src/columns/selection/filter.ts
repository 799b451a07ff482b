import { CONTEXT_PROPERTIES, type PropertyName, propertyOf } from '../../base/event.ts'

/** The properties of a context by their names on the wire; `utm` is a second name of `start_parameter`. */
const ASKED = new Map(
  CONTEXT_PROPERTIES.flatMap((name) => (propertyOf(name).askedAs ?? []).map((asked) => [asked, name] as const)),
)

export const CONTEXT_NAMES = [...ASKED.keys()]

/** Each property of a context once, by the first of its names. */
export const CONTEXT_FIELDS = CONTEXT_PROPERTIES.map((name) => ({ name, field: propertyOf(name).askedAs?.[0] ?? name }))

/** A property of an event: one of its context, or a top-level parameter. */
export type EventProperty =
  | { readonly of: 'context'; readonly name: PropertyName }
  | { readonly of: 'params'; readonly name: string }

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

/** Stands for a missing value. */
export const NONE = '(none)'

const PARAMS_PREFIX = 'params.'

/** A property by its name on the wire; null if there is none of that name. */
export function parseProperty(text: string): EventProperty | null {
  if (text.startsWith(PARAMS_PREFIX)) return { of: 'params', name: text.slice(PARAMS_PREFIX.length) }
  const name = ASKED.get(text)
  return name === undefined ? null : { of: 'context', name }
}

/** The name of a property on the wire. */
export function nameOfProperty({ of, name }: EventProperty): string {
  return of === 'params' ? PARAMS_PREFIX + name : (propertyOf(name).askedAs?.[0] ?? name)
}

const JSON_NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/

/** Whether the four orderings compare a text as a number. */
export function isNumber(text: string): boolean {
  return JSON_NUMBER.test(text)
}
