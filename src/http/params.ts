import { z } from '@hono/zod-openapi'
import type { Fault } from '../base/errors.ts'

/** A query, or a part of one: a parameter that is given more than once is a list. */
export type QueryParams = Readonly<Record<string, string | string[]>>

/** A query from the values of each parameter. A parameter without any is left out. */
export function toQueryParams(given: readonly (readonly [name: string, values: string[]])[]): QueryParams {
  const named = given.filter(([, values]) => values.length > 0)
  return Object.fromEntries(named.map(([name, values]) => [name, values.length === 1 ? (values[0] ?? '') : values]))
}

/** Picks the named parameters of an address, as an operation takes them. */
export function pickParams(params: URLSearchParams, names: readonly string[]): QueryParams {
  return toQueryParams(names.map((name) => [name, params.getAll(name)]))
}

interface TextBounds {
  /** Bounds are in characters (code points), as JSON Schema counts. */
  readonly min: number
  readonly max: number
  readonly pattern?: RegExp
  /** The message for a text that does not match, if the pattern itself would say little. */
  readonly mismatch?: string
}

export function text({ min, max, pattern, mismatch }: TextBounds) {
  const schema = z.string().superRefine((value, context) => {
    const length = countCharacters(value)
    if (!isStorable(value)) context.addIssue(issue('value_error', NOT_STORABLE))
    else if (length < min) context.addIssue(issue('string_too_short', `String should have at least ${count(min)}`))
    else if (length > max) context.addIssue(issue('string_too_long', `String should have at most ${count(max)}`))
    else if (pattern && !pattern.test(value)) {
      const msg = mismatch ?? `String should match pattern '${pattern.source}'`
      context.addIssue(issue(mismatch ? 'value_error' : 'string_pattern_mismatch', msg))
    }
  })
  return schema.openapi({ minLength: min, maxLength: max, pattern: pattern?.source ?? STORABLE })
}

export const NOT_STORABLE = 'String should not contain NUL or half of a surrogate pair'

/** For the document: characters without NUL, in words that all engines know. */
export const STORABLE = '^[^\\x00]*$'

/** SQLite ends a text at NUL, and half a pair is no UTF-8. */
export function isStorable(value: string): boolean {
  return value.isWellFormed() && !value.includes('\0')
}

function countCharacters(value: string): number {
  let length = 0
  for (const _ of value) length++
  return length
}

function count(characters: number): string {
  return characters === 1 ? '1 character' : `${characters} characters`
}

/** The text of a parameter. One that is given more than once is a list, which is of the wrong type. */
function single(wrongType: ReturnType<typeof issue>) {
  return z.unknown().transform((value, context): string => {
    if (typeof value === 'string') return value
    return reject(context, value === undefined ? issue('missing', 'Field required') : wrongType)
  })
}

const MOST = String(Number.MAX_SAFE_INTEGER)

/** For the document: digits of an integer that a number holds exactly, as a part of a pattern. */
export const SAFE_INTEGER = `(${[...MOST]
  .flatMap((digit, index) =>
    digit === '0' ? [] : `${MOST.slice(0, index)}[0-${Number(digit) - 1}]\\d{${MOST.length - 1 - index}}`,
  )
  .join('|')}|${MOST}|\\d{1,${MOST.length - 1}})`

interface IntegerBounds {
  readonly min: number
  readonly max?: number
}

/** An integer in a query or path: decimal digits with an optional sign. */
export function integerParam({ min, max = Number.MAX_SAFE_INTEGER }: IntegerBounds) {
  const schema = single(issue('int_type', NO_INTEGER)).transform((value, context) => {
    if (!/^\s*[+-]?\d+\s*$/.test(value)) return reject(context, issue('int_parsing', INTEGER_MESSAGE))
    const number = Number(value)
    const fault = boundsFault(number, { min, max })
    return fault ? reject(context, fault) : number
  })
  return schema.openapi({ type: 'integer', minimum: min, maximum: max })
}

/** An integer in a body: a JSON number, not a string. */
export function integer({ min, max = Number.MAX_SAFE_INTEGER }: IntegerBounds) {
  const schema = z.custom<number>().superRefine((value, context) => {
    const fault = Number.isInteger(value) ? boundsFault(value, { min, max }) : issue('int_type', NO_INTEGER)
    if (fault) context.addIssue(fault)
  })
  return schema.openapi({ type: 'integer', minimum: min, maximum: max })
}

function boundsFault(value: number, { min, max }: Required<IntegerBounds>) {
  if (value < min) return issue('greater_than_equal', `Input should be greater than or equal to ${min}`)
  return value > max ? issue('less_than_equal', `Input should be less than or equal to ${max}`) : null
}

const NO_INTEGER = 'Input should be a valid integer'
const INTEGER_MESSAGE = `${NO_INTEGER}, unable to parse string as an integer`

const TRUE = ['true', '1', 'yes', 'on']
const FALSE = ['false', '0', 'no', 'off']

/** A boolean in a query: true/false, 1/0, yes/no, on/off, in any case. */
export function booleanParam() {
  const schema = single(issue('bool_type', 'Input should be a valid boolean')).transform((value, context) => {
    const word = value.toLowerCase()
    if (![...TRUE, ...FALSE].includes(word)) return reject(context, issue('bool_parsing', BOOLEAN_MESSAGE))
    return TRUE.includes(word)
  })
  return schema.openapi({ type: 'boolean' })
}

const BOOLEAN_MESSAGE = 'Input should be a valid boolean, unable to interpret input'

/** For JSON in which null means that a value is missing. */
export function withoutNulls(value: unknown): unknown {
  if (value === null) return undefined
  if (typeof value !== 'object' || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== null))
}

/** An issue that carries the wire's own word for its kind. */
export function issue(type: Fault['type'], message: string) {
  return { code: 'custom' as const, message, params: { type } }
}

export function reject(context: z.RefinementCtx, problem: ReturnType<typeof issue>): never {
  context.addIssue(problem)
  return z.NEVER
}
