import type { Derivation, Segment } from '../../columns/columns.ts'
import { textOfJson } from '../../columns/selection/matching.ts'
import { NUMBER, type ParamNumbers, readNumbers } from '../../columns/selection/numbers.ts'
import { perRows } from '../../columns/selection/rows.ts'
import type { RevenueRule } from '../../storage/revenue-rule.ts'
import { digitsOf, toCurrency } from './currency.ts'

/** The amounts of a parameter's values, by the values' codes. */
interface Amounts extends Pick<ParamNumbers, 'groupsOfNine'> {
  /** Per code, one of `STATES`: `wanted` if there is an amount. Null if every event has one. */
  readonly states: Uint8Array | null
}

/** The amounts of a segment's events. */
export interface AmountTable extends Amounts {
  /** Codes, per event. */
  readonly codes: Uint16Array
}

/** Amounts of charges in major units of their currency. */
export interface ChargeAmounts {
  /** Codes of amounts, per charge. */
  readonly codes: Uint16Array
  /** The digits of each code's amount, in groups of nine: units of 1 / 10^`scale`. Scales may be negative. */
  readonly groups: readonly { readonly scale: number; readonly digits: Int32Array }[]
}

/** Converts the digits of a table, whose amounts are in the unit of a rule. */
export function inMajorUnits(
  { groupsOfNine }: Pick<AmountTable, 'groupsOfNine'>,
  { unit }: Pick<RevenueRule, 'unit'>,
  currency: string,
): ChargeAmounts['groups'] {
  const shift = unit === 'minor' ? digitsOf(currency) : 0
  return Array.from(groupsOfNine, ([scale, digits]) => ({ scale: scale + shift, digits }))
}

/** States of an event's amount and of its currency. Joined with `&`, they say whether the event counts. */
export const STATES = { missing: 0, other: 1, wanted: 3 } as const

type ReadSegment<T> = (segment: Segment) => T

/** Reads the amounts that a rule names: a parameter or a constant. Only numbers that are not negative count. */
export function amountReader(amount: RevenueRule['amount']): ReadSegment<AmountTable> {
  if (typeof amount === 'number') {
    const constant = { codes: ALL_ONE, ...AMOUNTS.make({ codes: ALL_ONE, values: [String(amount)] }) }
    return () => constant
  }
  const name = nameOfParam(amount)
  return perRows((rows) => {
    const codes = rows.param?.(name)?.codes
    const amounts = codes && rows.derived?.(name, AMOUNTS)
    return amounts ? { codes, ...amounts } : NO_AMOUNTS
  })
}

const AMOUNTS: Derivation<Amounts> = {
  kind: 'amounts',
  make({ codes, values }) {
    const { kinds, near, groupsOfNine } = readNumbers(values)
    const states = kinds.map((kind, code) =>
      kind === NUMBER && (near[code] as number) >= 0 ? STATES.wanted : STATES.missing,
    )
    const isComplete = !codes.includes(0) && !states.includes(STATES.missing, 1)
    return { groupsOfNine, states: isComplete ? null : states }
  },
  bytesOf: ({ groupsOfNine, states }) =>
    groupsOfNine.values().reduce((sum, { byteLength }) => sum + byteLength, states?.byteLength ?? 0),
}

export interface Currencies {
  /** Codes, per event. */
  readonly codes: Uint16Array
  /** Per code: one of `STATES`; null if all events have a wanted currency. */
  readonly states: Uint8Array | null
  /** Per code: the currency; null for text that is no currency. */
  readonly texts: readonly (string | null)[]
}

/** Reads currencies that a rule names: a parameter or a constant. With `wanted`, charges in others do not count. */
export function currencyReader(currency: string, wanted: string | null): ReadSegment<Currencies> {
  const stateOf = (text: string | null) => {
    if (text === null) return STATES.missing
    return wanted === null || text === wanted ? STATES.wanted : STATES.other
  }
  const toTables = (codes: Uint16Array, { texts, isComplete }: CurrencyTexts): Currencies => {
    const states = Uint8Array.from(texts, stateOf)
    const areAllWanted = isComplete && states.every((state, code) => code === 0 || state === STATES.wanted)
    return { codes, texts, states: areAllWanted ? null : states }
  }
  if (!currency.startsWith(PARAMS)) {
    const constant = toTables(ALL_ONE, { texts: [null, toCurrency(currency)], isComplete: true })
    return () => constant
  }
  const name = nameOfParam(currency)
  return perRows((rows) => {
    const codes = rows.param?.(name)?.codes
    const texts = codes && rows.derived?.(name, CURRENCY_TEXTS)
    return texts ? toTables(codes, texts) : toTables(ALL_ZERO, { texts: [null], isComplete: false })
  })
}

interface CurrencyTexts {
  /** Currencies by code; null for text that is no currency. */
  readonly texts: readonly (string | null)[]
  /** Whether each event has a value. */
  readonly isComplete: boolean
}

const CURRENCY_TEXTS: Derivation<CurrencyTexts> = {
  kind: 'currencies',
  make: ({ codes, values }) => ({
    texts: [null, ...values.map((json) => toCurrency(textOfJson(json)))],
    isComplete: !codes.includes(0),
  }),
  bytesOf: ({ texts }) => 40 * texts.length,
}

const PARAMS = 'params.'

function nameOfParam(property: string): string {
  return property.slice(PARAMS.length)
}

/** One code for every event: a segment has fewer than 2^16. */
const ALL_ZERO = new Uint16Array(2 ** 16)
const ALL_ONE = new Uint16Array(2 ** 16).fill(1)

const NO_AMOUNTS: AmountTable = {
  codes: ALL_ZERO,
  groupsOfNine: new Map(),
  states: Uint8Array.of(STATES.missing),
}
