import type { Derivation, Segment } from '../../columns/columns.ts'
import { OUTSIDE } from '../../columns/selection/dictionary.ts'
import { textOfJson } from '../../columns/selection/matching.ts'
import { NUMBER, numbersIn, numbersOf, type ParamNumbers } from '../../columns/selection/numbers.ts'
import { perRows } from '../../columns/selection/rows.ts'
import type { RevenueRule } from '../../storage/revenue-rule.ts'
import { toCurrency } from './currency.ts'

/** What the events of a segment are worth, by the codes of a parameter. */
export interface AmountTable extends Pick<ParamNumbers, 'codes' | 'groupsOfNine'> {
  /** By code: a state of `STATES`, which is `wanted` wherever there is an amount. Null where each event has one. */
  readonly states: Uint8Array | null
}

/** States of an event's amount and of its currency. Joined with `&`, they say whether the event counts. */
export const STATES = { missing: 0, other: 1, wanted: 3 } as const

type ReadSegment<T> = (segment: Segment) => T

/** Reads the amounts that a rule names: a parameter or a constant. Only numbers that are not negative count. */
export function amountReader(amount: RevenueRule['amount']): ReadSegment<AmountTable> {
  if (typeof amount === 'number') {
    const constant = tableOf(numbersIn({ codes: Uint16Array.of(1), values: [String(amount)] }))
    return ({ users }) => ({ ...constant, codes: filled(users.length, 1) })
  }
  const name = nameOfParam(amount)
  return perRows((rows) => {
    const numbers = numbersOf(rows, name)
    return numbers
      ? tableOf(numbers)
      : { codes: filled(rows.users.length, 0), groupsOfNine: new Map(), states: NOTHING }
  })
}

const NOTHING = Uint8Array.of(STATES.missing)

function tableOf({ codes, groupsOfNine, kinds, near, isComplete }: ParamNumbers): AmountTable {
  // Numbers are in order: the first one is the least.
  if (isComplete && (near[1] as number) >= 0) return { codes, groupsOfNine, states: null }
  const stateOf = (kind: number, code: number) =>
    kind === NUMBER && (near[code] as number) >= 0 ? STATES.wanted : STATES.missing
  return { codes, groupsOfNine, states: kinds.map(stateOf) }
}

export interface Currencies {
  /** By event. */
  readonly codes: Uint16Array
  /** By code: a state of `STATES`, null where all are wanted; and the ordinal of a currency that is wanted. */
  readonly states: Uint8Array | null
  readonly ordinals: Uint32Array
}

/** Reads the currencies that a rule names: a parameter or a constant. `ordinalOf` returns `OUTSIDE` for those that are not wanted. */
export function currencyReader(currency: string, ordinalOf: (code: string) => number): ReadSegment<Currencies> {
  const toTables = ({ codes, texts, isComplete }: CurrencyCodes): Currencies => {
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
    return ({ users }) => toTables({ codes: filled(users.length, 1), texts, isComplete: true })
  }
  const name = nameOfParam(currency)
  return perRows((rows) => {
    const missing = () => ({ codes: filled(rows.users.length, 0), texts: [null], isComplete: false })
    return toTables(rows.derived?.(name, CURRENCY_CODES) ?? missing())
  })
}

interface CurrencyCodes {
  readonly codes: Uint16Array
  /** By code; null for what is no currency. */
  readonly texts: readonly (string | null)[]
  /** Whether each event has a value. */
  readonly isComplete: boolean
}

const CURRENCY_CODES: Derivation<CurrencyCodes> = {
  kind: 'currencies',
  make: ({ codes, values }) => ({
    codes,
    texts: [null, ...values.map((json) => toCurrency(textOfJson(json)))],
    isComplete: !codes.includes(0),
  }),
  bytesOf: ({ codes, texts }) => codes.byteLength + 40 * texts.length,
}

const PARAMS = 'params.'

function nameOfParam(property: string): string {
  return property.slice(PARAMS.length)
}

const codesOfAll: [Uint16Array, Uint16Array] = [new Uint16Array(0), new Uint16Array(0)]

/** At least so many times the same code. */
function filled(length: number, code: 0 | 1): Uint16Array {
  if (codesOfAll[code].length < length) codesOfAll[code] = new Uint16Array(length).fill(code)
  return codesOfAll[code]
}
