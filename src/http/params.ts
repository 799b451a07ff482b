import { z } from '@hono/zod-openapi'
import type { Fault } from '../errors.ts'

/** A query, or a part of one: a parameter that is given more than once is a list. */
export type QueryParams = Readonly<Record<string, string | string[]>>

/** A query of the values that each parameter was given with; one without any is left out. */
export function toQueryParams(given: readonly (readonly [name: string, values: string[]])[]): QueryParams {
  const asked = given.filter(([, values]) => values.length > 0)
  return Object.fromEntries(asked.map(([name, values]) => [name, values.length === 1 ? (values[0] ?? '') : values]))
}

interface TextBounds {
  /** Bounds are in characters (code points), as JSON Schema counts. */
  readonly min: number
  readonly max: number
  readonly pattern?: RegExp
  /** What is said of a text that does not match, where the pattern itself would tell people little. */
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
  return schema.openapi({ minLength: min, maxLength: max, ...(pattern && { pattern: pattern.source }) })
}

export const NOT_STORABLE = 'String should hold no NUL and no half of a surrogate pair'

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

/** The text of a parameter. Given more than once it comes as a list, which is of the wrong type. */
function single(wrongType: ReturnType<typeof issue>) {
  return z.unknown().transform((value, context): string => {
    if (typeof value === 'string') return value
    return reject(context, value === undefined ? issue('missing', 'Field required') : wrongType)
  })
}

interface IntegerBounds {
  readonly min: number
  readonly max?: number
}

/** A whole number in a query or path: decimal digits, with a sign if need be. */
export function integerParam({ min, max = Number.MAX_SAFE_INTEGER }: IntegerBounds) {
  const schema = single(issue('int_type', 'Input should be a valid integer')).transform((value, context) => {
    if (!/^\s*[+-]?\d+\s*$/.test(value)) return reject(context, issue('int_parsing', INTEGER_MESSAGE))
    const number = Number(value)
    if (number < min)
      return reject(context, issue('greater_than_equal', `Input should be greater than or equal to ${min}`))
    if (number > max) return reject(context, issue('less_than_equal', `Input should be less than or equal to ${max}`))
    return number
  })
  return schema.openapi({ type: 'integer', minimum: min, maximum: max })
}

/** A whole number in a body: JSON's own, not a text. */
export function integer({ min, max = Number.MAX_SAFE_INTEGER }: IntegerBounds) {
  const schema = z.custom<number>().superRefine((value, context) => {
    if (!Number.isInteger(value)) context.addIssue(issue('int_type', 'Input should be a valid integer'))
    else if (value < min)
      context.addIssue(issue('greater_than_equal', `Input should be greater than or equal to ${min}`))
    else if (value > max) context.addIssue(issue('less_than_equal', `Input should be less than or equal to ${max}`))
  })
  return schema.openapi({ type: 'integer', minimum: min, maximum: max })
}

const INTEGER_MESSAGE = 'Input should be a valid integer, unable to parse string as an integer'

const BOOLEANS: Readonly<Record<string, boolean>> = {
  true: true,
  '1': true,
  yes: true,
  on: true,
  false: false,
  '0': false,
  no: false,
  off: false,
}

/** A boolean in a query: true/false, 1/0, yes/no, on/off, in any case. */
export function booleanParam() {
  const schema = single(issue('bool_type', 'Input should be a valid boolean')).transform((value, context) => {
    const word = value.toLowerCase()
    return Object.hasOwn(BOOLEANS, word)
      ? (BOOLEANS[word] as boolean)
      : reject(context, issue('bool_parsing', BOOLEAN_MESSAGE))
  })
  return schema.openapi({ type: 'boolean' })
}

const BOOLEAN_MESSAGE = 'Input should be a valid boolean, unable to interpret input'

/** An issue that carries the wire's own word for its kind. */
export function issue(type: Fault['type'], message: string) {
  return { code: 'custom' as const, message, params: { type } }
}

export function reject(context: z.RefinementCtx, problem: ReturnType<typeof issue>): never {
  context.addIssue(problem)
  return z.NEVER
}
