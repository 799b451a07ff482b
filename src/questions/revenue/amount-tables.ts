import type { Derivation, Segment } from '../../columns/columns.ts'
import { OUTSIDE } from '../../columns/selection/dictionary.ts'
import { textOfJson } from '../../columns/selection/matching.ts'
import { NUMBER, type ParamNumbers, readNumbers } from '../../columns/selection/numbers.ts'
import { perRows } from '../../columns/selection/rows.ts'
import type { RevenueRule } from '../../storage/revenue-rule.ts'
import { toCurrency } from './currency.ts'

/** The amounts that values of a parameter stand for, by their codes. */
interface Amounts extends Pick<ParamNumbers, 'groupsOfNine'> {
  /** Per code, one of `STATES`: `wanted` if there is an amount. Null if every event has one. */
  readonly states: Uint8Array | null
}

/** The amounts of a segment's events. */
export interface AmountTable extends Amounts {
  /** Codes, per event. */
  readonly codes: Uint16Array
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
  /** Per code: one of `STATES`, null if all are wanted; and the ordinal of a wanted currency. */
  readonly states: Uint8Array | null
  readonly ordinals: Uint32Array
}

/** Reads currencies that a rule names: a parameter or a constant. `ordinalOf` is `OUTSIDE` for unwanted ones. */
export function currencyReader(currency: string, ordinalOf: (code: string) => number): ReadSegment<Currencies> {
  const toTables = (codes: Uint16Array, { texts, isComplete }: CurrencyTexts): Currencies => {
    const ordinals = Uint32Array.from(texts, (text) => (text === null ? OUTSIDE : ordinalOf(text)))
    const stateOf = (text: string | null, code: number) => {
      if (text === null) return STATES.missing
      return ordinals[code] === OUTSIDE ? STATES.other : STATES.wanted
    }
    const areAllWanted = isComplete && !ordinals.includes(OUTSIDE, 1)
    return { codes, ordinals, states: areAllWanted ? null : Uint8Array.from(texts, stateOf) }
  }
  if (!currency.startsWith(PARAMS)) {
    const texts = [null, toCurrency(currency)]
    return () => toTables(ALL_ONE, { texts, isComplete: true })
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
