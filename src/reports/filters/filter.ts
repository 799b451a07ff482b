import { CONTEXT_PROPERTIES, type PropertyName, propertyOf } from '../../collection/event.ts'

/** The properties of a context by what they are asked for as; `utm` is a second name of `start_parameter`. */
const ASKED = new Map(
  CONTEXT_PROPERTIES.flatMap((name) => (propertyOf(name).askedAs ?? []).map((asked) => [asked, name] as const)),
)

export const CONTEXT_NAMES = [...ASKED.keys()]

/** Each property of a context once, by the first of its names. */
export const CONTEXT_FIELDS = CONTEXT_PROPERTIES.map((name) => ({ name, field: propertyOf(name).askedAs?.[0] ?? name }))

/** A property of an event: of its context, or a top-level one of its own parameters. */
export type Property =
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

/** Several values: any of them matches; a negated operator asks that none does. */
export interface Filter {
  readonly property: Property
  readonly operator: Operator
  /** At least one. */
  readonly values: readonly string[]
}

/** Of all groups, so many are shown. */
export const MAX_GROUPS = 20

/** Stands for a missing value. */
export const NONE = '(none)'

const PARAMS_PREFIX = 'params.'

/** A property by its name on the wire; null where there is none of that name. */
export function parseProperty(text: string): Property | null {
  if (text.startsWith(PARAMS_PREFIX)) return { of: 'params', name: text.slice(PARAMS_PREFIX.length) }
  const name = ASKED.get(text)
  return name === undefined ? null : { of: 'context', name }
}

/** What a property is called on the wire. */
export function nameOfProperty({ of, name }: Property): string {
  return of === 'params' ? PARAMS_PREFIX + name : (propertyOf(name).askedAs?.[0] ?? name)
}

const JSON_NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/

/** Whether a text is compared as a number by the four orderings. */
export function isNumber(text: string): boolean {
  return JSON_NUMBER.test(text)
}
