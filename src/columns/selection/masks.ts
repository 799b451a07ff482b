import { type PropertyName, propertyOf } from '../../base/event.ts'
import type { Columns, Values } from '../columns.ts'
import { type Condition, type Filter, IS_NUMERIC, NONE } from './filter.ts'
import { testOf } from './matching.ts'
import { NUMBER, numbersOf } from './numbers.ts'
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
  const ofUsers = userMask(columns, users)
  const ofContexts = contextMask(columns, filters)
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

/** By context: 1 where it passes all filters on contexts; null where all pass: then no row needs to be looked at. */
function contextMask(columns: Columns, filters: readonly Condition[]): Uint8Array | null {
  let mask: Uint8Array | null = null
  for (const filter of filters) {
    if (filter.property.of === 'params' || filter.operator === IS_NUMERIC) continue
    mask ??= new Uint8Array(columns.contextCount).fill(1)
    const { name } = filter.property
    const passing = passingCodes(columns, name, filter)
    const codes = columns.contextCodes(name)
    for (let context = 0; context < mask.length; context++) {
      if (passing[codes[context] as number] === 0) mask[context] = 0
    }
  }
  return mask?.includes(0) ? mask : null
}

/** By code: 1 where the text passes. */
function passingCodes(columns: Columns, name: PropertyName, filter: Filter): Uint8Array {
  const values = columns.contextValues(name)
  const { unsaid = null } = propertyOf(name)
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

function userMask({ userCount }: Columns, { index, of }: Share): Uint8Array | null {
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
    return { codes: param.codes, mask }
  }
}
