import type { z } from 'zod'
import type { Fault } from './errors.ts'

type Issue = z.core.$ZodIssue

/**
 * Zod's issues as faults in the vocabulary of pydantic 2, each with its path in the request.
 * The value must have been parsed with `reportInput`: an issue without input means that the value is missing.
 */
export function toFaults(issues: readonly Issue[], path: readonly (string | number)[]): Fault[] {
  return issues.flatMap((issue) => {
    const loc = [...path, ...(isList(issue) ? issue.path.slice(0, -1) : issue.path).map(toPathItem)]
    if (issue.code !== 'unrecognized_keys') return [{ loc, ...describe(issue) }]
    return issue.keys.map((key) => ({ loc: [...loc, key], ...UNKNOWN_FIELD }))
  })
}

function toPathItem(item: PropertyKey): string | number {
  return typeof item === 'symbol' ? String(item) : item
}

function describe(issue: Issue): Pick<Fault, 'msg' | 'type'> {
  if (issue.code === 'custom') return { type: issue.params?.type ?? 'value_error', msg: issue.message }
  if (issue.input === undefined) return MISSING
  switch (issue.code) {
    case 'invalid_type':
      return WRONG_TYPE.get(issue.expected) ?? valueError(issue)
    case 'invalid_value':
      return noneOf(issue.values)
    case 'invalid_union':
      if (isList(issue)) return NO_OBJECT
      return 'options' in issue && issue.options ? noneOf(issue.options) : valueError(issue)
    case 'too_small':
    case 'too_big':
      return sizeFault(issue)
    default:
      return valueError(issue)
  }
}

const UNKNOWN_FIELD = { type: 'extra_forbidden', msg: 'Extra inputs are not permitted' }

const MISSING = { type: 'missing', msg: 'Field required' }

/** Zod looks for the type of an object in lists, too. */
function isList(issue: Issue): boolean {
  return issue.code === 'invalid_union' && 'discriminator' in issue && Array.isArray(issue.input)
}

const NO_OBJECT = { type: 'dict_type', msg: 'Input should be a valid dictionary' }

const WRONG_TYPE: ReadonlyMap<string, Pick<Fault, 'msg' | 'type'>> = new Map([
  ['string', { type: 'string_type', msg: 'Input should be a valid string' }],
  ['number', { type: 'float_type', msg: 'Input should be a valid number' }],
  ['int', { type: 'int_type', msg: 'Input should be a valid integer' }],
  ['boolean', { type: 'bool_type', msg: 'Input should be a valid boolean' }],
  ['array', { type: 'list_type', msg: 'Input should be a valid list' }],
  ['object', NO_OBJECT],
  ['record', NO_OBJECT],
])

function noneOf(values: readonly unknown[]): Pick<Fault, 'msg' | 'type'> {
  return { type: 'enum', msg: `Input should be ${ALTERNATIVES.format(values.map((value) => `'${String(value)}'`))}` }
}

function valueError(issue: Issue): Pick<Fault, 'msg' | 'type'> {
  return { type: 'value_error', msg: issue.message }
}

/** Like pydantic, British English puts no comma before "or". */
const ALTERNATIVES = new Intl.ListFormat('en-GB', { type: 'disjunction' })

function sizeFault(issue: Extract<Issue, { code: 'too_small' | 'too_big' }>): Pick<Fault, 'msg' | 'type'> {
  const isSmall = issue.code === 'too_small'
  const bound = isSmall ? issue.minimum : issue.maximum
  if (issue.origin === 'array') {
    const msg = `List should have at ${isSmall ? 'least' : 'most'} ${bound} item${bound === 1 ? '' : 's'}`
    return { type: isSmall ? 'too_short' : 'too_long', msg }
  }
  const msg = `Input should be ${isSmall ? 'greater' : 'less'} than or equal to ${bound}`
  return { type: isSmall ? 'greater_than_equal' : 'less_than_equal', msg }
}
