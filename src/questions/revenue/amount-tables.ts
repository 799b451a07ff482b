import { type Decimal, digitsAt, parseDecimal } from '../../base/decimal.ts'
import type { Segment } from '../../columns/columns.ts'
import { OUTSIDE } from '../../columns/selection/dictionary.ts'
import { textOfJson } from '../../columns/selection/matching.ts'
import { type Codes, perRows } from '../../columns/selection/rows.ts'
import type { RevenueRule } from '../../storage/revenue-rule.ts'
import { toCurrency } from './currency.ts'

/**
 * What the events of a segment are worth, by the codes of a parameter: multiples of 1 / 10^scale, each the sum of its limbs (the first
 * ones, the second ones times 2^36, and so on). The sum of a limb over a segment, of at most 2^15 events, is exact as a double.
 */
export interface AmountTable {
  /** By event. */
  readonly codes: Codes
  /** By code: a state of `STATES`, which is `wanted` wherever there is an amount. */
  readonly states: Uint8Array
  readonly scale: number
  /** By code. */
  readonly limbs: readonly Float64Array[]
}

/** States of an event's amount and of its currency. Joined with `&`, they say whether the event counts. */
const STATES = { missing: 0, other: 1, wanted: 3 } as const

export const LIMB_BITS = 36
const LIMB = 2 ** LIMB_BITS

type ReadSegment<T> = (segment: Segment) => T

/** Reads the amounts that a rule names: a parameter or a constant. Only numbers that are not negative count. */
export function amountReader(amount: RevenueRule['amount']): ReadSegment<AmountTable> {
  if (typeof amount === 'number') {
    const constant = tableOf([parseDecimal(String(amount))])
    return ({ users }) => ({ ...constant, codes: zeros(users.length) })
  }
  const parse = remembering((json: string) => countable(textOfJson(json)))
  return perSegment(nameOfParam(amount), (codes, values) => ({
    codes,
    ...tableOf([null, ...values.map(parse)]),
  }))
}

/** So many values are held at once, in about 10 MB. */
const REMEMBERED_VALUES = 32_768
const REMEMBERED_CHARACTERS = 40

/** Most segments have the same few values. */
function remembering<T>(parse: (json: string) => T): (json: string) => T {
  const known = new Map<string, T>()
  return (json) => {
    const before = known.get(json)
    if (before !== undefined) return before
    const parsed = parse(json)
    if (known.size < REMEMBERED_VALUES && json.length <= REMEMBERED_CHARACTERS) known.set(json, parsed)
    return parsed
  }
}

function countable(text: string | null): Decimal | null {
  const decimal = text === null ? null : parseDecimal(text)
  return decimal && decimal.digits >= 0n ? decimal : null
}

export interface Currencies {
  /** By event. */
  readonly codes: Codes
  /** By code: a state of `STATES`, and the ordinal of a currency that is wanted. */
  readonly states: Uint8Array
  readonly ordinals: Uint32Array
}

/** Reads the currencies that a rule names: a parameter or a constant. `ordinalOf` returns `OUTSIDE` for those that are not wanted. */
export function currencyReader(currency: string, ordinalOf: (code: string) => number): ReadSegment<Currencies> {
  const toTables = (texts: readonly (string | null)[]): Omit<Currencies, 'codes'> => {
    const codes = texts.map(toCurrency)
    const ordinals = Uint32Array.from(codes, (code) => (code === null ? OUTSIDE : ordinalOf(code)))
    const stateOf = (code: string | null, index: number) => {
      if (code === null) return STATES.missing
      return ordinals[index] === OUTSIDE ? STATES.other : STATES.wanted
    }
    return { states: Uint8Array.from(codes, stateOf), ordinals }
  }
  if (!currency.startsWith(PARAMS)) {
    const constant = toTables([currency])
    return ({ users }) => ({ codes: zeros(users.length), ...constant })
  }
  return perSegment(nameOfParam(currency), (codes, values) => ({
    codes,
    ...toTables([null, ...values.map((json) => textOfJson(json))]),
  }))
}

const PARAMS = 'params.'

function nameOfParam(property: string): string {
  return property.slice(PARAMS.length)
}

/** Where no event has the parameter, all have the code 0. */
function perSegment<T extends object>(
  name: string,
  read: (codes: Codes, values: readonly string[]) => T,
): ReadSegment<T> {
  return perRows((rows) => {
    const param = rows.param?.(name)
    return read(param?.codes ?? zeros(rows.users.length), param?.values ?? [])
  })
}

let zeroCodes = new Uint16Array(0)

/** At least so many zeros. */
function zeros(length: number): Uint16Array {
  if (zeroCodes.length < length) zeroCodes = new Uint16Array(length)
  return zeroCodes
}

function tableOf(decimals: readonly (Decimal | null)[]): Omit<AmountTable, 'codes'> {
  const scale = decimals.reduce((most, decimal) => Math.max(most, decimal?.scale ?? 0), 0)
  const states = Uint8Array.from(decimals, (decimal) => (decimal ? STATES.wanted : STATES.missing))
  const limbs = [new Float64Array(decimals.length)]
  for (const [code, decimal] of decimals.entries()) if (decimal) split(digitsAt(decimal, scale), code, limbs)
  return { states, scale, limbs }
}

function split(digits: bigint, code: number, limbs: Float64Array[]): void {
  const [first] = limbs as [Float64Array]
  if (digits < LIMB) {
    first[code] = Number(digits)
    return
  }
  for (let [place, rest] = [0, digits]; rest > 0n; place++, rest >>= BigInt(LIMB_BITS)) {
    limbs[place] ??= new Float64Array(first.length)
    ;(limbs[place] as Float64Array)[code] = Number(BigInt.asUintN(LIMB_BITS, rest))
  }
}
