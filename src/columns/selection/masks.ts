import type { Columns, Values } from '../columns.ts'
import { type CodedProperty, type Condition, type Filter, IS_NUMERIC, isOfUser, maskOfCohort, NONE } from './filter.ts'
import { testOf } from './matching.ts'
import { NUMBER, numbersOf } from './numbers.ts'
import { type PropertyCodes, propertyCodes } from './property-codes.ts'
import { type Codes, perRows, type SelectableRows } from './rows.ts'
import type { Share } from './share.ts'

/** Keeps the rows whose code has a 1 in the mask. */
export interface Mask {
  readonly codes: Codes
  readonly mask: Uint8Array
}

/** Which rows pass the filters and belong to a share of the users; null where none does. Each distinct value is tested once. */
export function masksFor(
  columns: Columns,
  { filters, users }: { filters: readonly Condition[]; users: Share },
): (rows: SelectableRows) => readonly Mask[] | null {
  const ofUsers = joined(shareMask(columns, users), maskOf(columns, filters.filter(isOf('users')), columns.userCount))
  const ofContexts = maskOf(columns, filters.filter(isOf('contexts')), columns.contextCount)
  const ofParams = filters
    .filter(({ property }) => property.of === 'params')
    .map((filter) => (filter.operator === IS_NUMERIC ? numericMask(filter.property.name) : paramMask(filter)))
  return perRows((rows) => {
    const masks: Mask[] = []
    if (ofUsers) masks.push({ codes: rows.users, mask: ofUsers })
    if (ofContexts) masks.push({ codes: rows.contexts, mask: ofContexts })
    for (const maskOf of ofParams) {
      const mask = maskOf(rows)
      if (mask === 'none') return null
      if (mask !== 'all') masks.push(mask)
    }
    return masks
  })
}

/** By context, or by user for a property of users: 1 where it passes a filter on no parameter; null where all pass. */
export function maskOfFilter(columns: Columns, filter: Filter): Uint8Array | null {
  return maskOf(columns, [filter], isOfUser(filter.property) ? columns.userCount : columns.contextCount)
}

function isOf(whole: 'users' | 'contexts'): (condition: Condition) => condition is Filter {
  return (condition): condition is Filter =>
    condition.property.of !== 'params' && isOfUser(condition.property) === (whole === 'users')
}

/** By context, or by user: 1 where it passes all these filters; null where all pass: then no row needs to be looked at. */
function maskOf(columns: Columns, filters: readonly Filter[], length: number): Uint8Array | null {
  let mask: Uint8Array | null = null
  for (const filter of filters) {
    mask ??= new Uint8Array(length).fill(1)
    const { codes, passing } = filter.property.of === 'cohort' ? membersOf(filter, length) : codedBy(columns, filter)
    for (let index = 0; index < mask.length; index++) {
      if (passing[codes[index] as number] === 0) mask[index] = 0
    }
  }
  return mask?.includes(0) ? mask : null
}

function joined(one: Uint8Array | null, other: Uint8Array | null): Uint8Array | null {
  if (!one || !other) return one ?? other
  return one.map((passes, index) => passes & (other[index] as number))
}

function codedBy(columns: Columns, filter: Filter) {
  const property = propertyCodes(columns, filter.property as CodedProperty)
  return { codes: property.codes, passing: passingCodes(property, filter) }
}

/** By user: 1 for members of any of a filter's cohorts; and by that, 1 where it passes. */
function membersOf({ property, operator, values }: Filter, userCount: number) {
  const codes = new Uint8Array(userCount)
  for (const name of values) {
    const mask = maskOfCohort(property, name)
    for (let user = 0; user < userCount; user++) codes[user] = (codes[user] as number) | (mask[user] as number)
  }
  return { codes, passing: operator === 'is' ? [0, 1] : [1, 0] }
}

/** By code: 1 where the text passes. */
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

type ParamMask = (rows: SelectableRows) => Mask | 'all' | 'none'

function numericMask(name: string): ParamMask {
  return (rows) => {
    const numbers = numbersOf(rows, name)
    if (!numbers) return 'none'
    if (numbers.isComplete) return 'all'
    return { codes: numbers.codes, mask: numbers.kinds.map((kind) => Number(kind === NUMBER)) }
  }
}

/** If no row has the parameter, all rows pass or none does. */
function paramMask(filter: Filter): ParamMask {
  const test = testOf(filter)
  const passesMissing = test(null)
  return (rows) => {
    const param = rows.param?.(filter.property.name)
    if (!param) return passesMissing ? 'all' : 'none'
    const mask = new Uint8Array(param.values.length + 1)
    mask[0] = Number(passesMissing)
    for (const [index, json] of param.values.entries()) mask[index + 1] = Number(test(json))
    const areAllIn = !mask.includes(0, 1) && (passesMissing || !param.codes.includes(0))
    return areAllIn ? 'all' : { codes: param.codes, mask }
  }
}
