import type { Columns, Values } from '../columns.ts'
import type { Codes } from '../flat-arrays.ts'
import { type CodedProperty, type Condition, type Filter, IS_NUMERIC, isOfUser, maskOfCohort, NONE } from './filter.ts'
import { type Test, testOf } from './matching.ts'
import { NUMBER, numbersOf } from './numbers.ts'
import { type PropertyCodes, propertyCodes } from './property-codes.ts'
import { inSteps, NO_STEPS, perRows, type SelectableRows, TEXTS_A_STEP } from './rows.ts'
import type { Share } from './share.ts'

/** Keeps the rows whose code has a 1 in the mask. */
export interface Mask {
  readonly codes: Codes
  readonly mask: Uint8Array
}

interface Masks {
  /** Tests the values of parameters, some before each yield: `of` finds them then, and otherwise tests all at once. */
  prepare(rows: SelectableRows): Generator<void>
  /** Null if no row passes. */
  of(rows: SelectableRows): readonly Mask[] | null
}

/** Which rows pass the filters and belong to a share of the users. Each distinct value is tested once. */
export function masksFor(columns: Columns, { filters, users }: { filters: readonly Condition[]; users: Share }): Masks {
  const ofUsers = joined(shareMask(columns, users), maskOf(columns, filters.filter(isOf('users')), columns.userCount))
  const ofContexts = maskOf(columns, filters.filter(isOf('contexts')), columns.contextCount)
  const ofParams = filters
    .filter(({ property }) => property.of === 'params')
    .map((filter) => (filter.operator === IS_NUMERIC ? numericMask(filter.property.name) : paramMask(filter)))
  return {
    *prepare(rows) {
      for (const param of ofParams) if (param.prepare) yield* param.prepare(rows)
    },
    of: perRows((rows) => {
      const masks: Mask[] = []
      if (ofUsers) masks.push({ codes: rows.users, mask: ofUsers })
      if (ofContexts) masks.push({ codes: rows.contexts, mask: ofContexts })
      for (const param of ofParams) {
        const mask = param.of(rows)
        if (mask === 'none') return null
        if (mask !== 'all') masks.push(mask)
      }
      return masks
    }),
  }
}

/** Which contexts, or users for a property of users, pass a filter on no parameter: 1 or 0 for each; null if all pass. */
export function maskOfFilter(columns: Columns, filter: Filter): Uint8Array | null {
  return maskOf(columns, [filter], isOfUser(filter.property) ? columns.userCount : columns.contextCount)
}

function isOf(whole: 'users' | 'contexts'): (condition: Condition) => condition is Filter {
  return (condition): condition is Filter =>
    condition.property.of !== 'params' && isOfUser(condition.property) === (whole === 'users')
}

/** Which contexts, or users, pass all these filters: 1 or 0 for each; null if all pass, so that no row needs to be looked at. */
function maskOf(columns: Columns, filters: readonly Filter[], length: number): Uint8Array | null {
  let mask: Uint8Array | null = null
  for (const filter of filters) {
    const own = filter.property.of === 'cohort' ? maskOfCohorts(filter, length) : maskByCodes(columns, filter, length)
    mask = joined(mask, own)
  }
  return mask?.includes(0) ? mask : null
}

/** The second one is changed. */
function joined(one: Uint8Array | null, other: Uint8Array | null): Uint8Array | null {
  if (!one || !other) return one ?? other
  for (let index = 0; index < other.length; index++) {
    other[index] = (other[index] as number) & (one[index] as number)
  }
  return other
}

function maskByCodes(columns: Columns, filter: Filter, length: number): Uint8Array {
  const property = propertyCodes(columns, filter.property as CodedProperty)
  const { codes } = property
  const passing = passingCodes(property, filter)
  const mask = new Uint8Array(length)
  for (let index = 0; index < length; index++) mask[index] = passing[codes[index] as number] as number
  return mask
}

/** Which users belong to any of a filter's cohorts or, if it is negated, to none: 1 or 0 for each. */
function maskOfCohorts({ property, operator, values }: Filter, userCount: number): Uint8Array {
  const mask = new Uint8Array(userCount)
  for (const name of values) {
    const members = maskOfCohort(property, name)
    for (let user = 0; user < userCount; user++) mask[user] = (mask[user] as number) | (members[user] as number)
  }
  if (operator === 'is') return mask
  for (let user = 0; user < userCount; user++) mask[user] = 1 - (mask[user] as number)
  return mask
}

/** Which codes have a text that passes: 1 or 0 for each. */
function passingCodes({ values, unsaid }: PropertyCodes, filter: Filter): Uint8Array {
  const passing = new Uint8Array(values.count + 1)
  const { operator } = filter
  if (operator === 'is' || operator === 'is not') {
    if (operator === 'is not') passing.fill(1)
    const codes = filter.values.flatMap((text) => codesOf(values, text, unsaid ?? NONE))
    for (const code of codes) passing[code] = Number(operator === 'is')
    return passing
  }
  const test = testOf(filter)
  passing[0] = Number(test(unsaid))
  for (const [code, text] of values.entries()) passing[code] = Number(test(text))
  return passing
}

/** Operators that compare whole texts need not read all of them. */
function codesOf(values: Values, text: string, missing: string): number[] {
  const code = values.codeOf(text)
  return [...(code > 0 ? [code] : []), ...(text === missing ? [0] : [])]
}

function shareMask({ userCount }: Columns, { index, of }: Share): Uint8Array | null {
  if (of === 1) return null
  const mask = new Uint8Array(userCount)
  for (let user = index; user < userCount; user += of) mask[user] = 1
  return mask
}

interface ParamMask {
  prepare?(rows: SelectableRows): Generator<void>
  of(rows: SelectableRows): Mask | 'all' | 'none'
}

function numericMask(name: string): ParamMask {
  return {
    of(rows) {
      const numbers = numbersOf(rows, name)
      if (!numbers) return 'none'
      if (numbers.isComplete) return 'all'
      return { codes: numbers.codes, mask: numbers.kinds.map((kind) => Number(kind === NUMBER)) }
    },
  }
}

/** If no row has the parameter, all rows pass or none does. */
function paramMask(filter: Filter): ParamMask {
  const test = testOf(filter)
  const passesMissing = test(null)
  const tests = perRows((rows) => {
    const param = rows.param?.(filter.property.name)
    if (!param) return null
    const { codes, values } = param
    const mask = new Uint8Array(values.length + 1)
    mask[0] = Number(passesMissing)
    return { codes, mask, testing: testAll(values, test, mask) }
  })
  return {
    prepare: (rows) => tests(rows)?.testing ?? NO_STEPS,
    of(rows) {
      const tested = tests(rows)
      if (!tested) return passesMissing ? 'all' : 'none'
      const { codes, mask, testing } = tested
      while (!testing.next().done);
      const areAllIn = !mask.includes(0, 1) && (passesMissing || !codes.includes(0))
      return areAllIn ? 'all' : { codes, mask }
    },
  }
}

function testAll(values: readonly string[], test: Test, mask: Uint8Array): Generator<void> {
  return inSteps({ count: values.length, step: TEXTS_A_STEP }, (from, to) => {
    for (let index = from; index < to; index++) mask[index + 1] = Number(test(values[index] as string))
  })
}
