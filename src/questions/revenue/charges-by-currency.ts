import { increase } from '../../columns/flat-arrays.ts'
import { OUTSIDE } from '../../columns/selection/dictionary.ts'
import type { Charges } from './charges.ts'

/** Charges in one currency. */
interface ChargesInCurrency {
  readonly ordinal: number
  /** The users of the charges; null if these are all events of a slice. */
  readonly users: Uint32Array | null
  /** Codes of amounts, which the next charges may overwrite. */
  readonly amounts: Uint16Array
}

/** Splits charges by currency. Ordinals of currencies are below `count`. */
export function splitByCurrency(charges: Charges, count: number): ChargesInCurrency[] {
  const { length, from, currencies } = charges
  const [ordinal = 0, ...others] = new Set(currencies.ordinals.filter((own) => own !== OUTSIDE))
  if (others.length > 0) return sortedByCurrency(charges, count)
  const users = from === null ? charges.users().slice(0, length) : null
  return [{ ordinal, users, amounts: charges.amounts().subarray(0, length) }]
}

function sortedByCurrency({ length, currencies, ...charges }: Charges, count: number): ChargesInCurrency[] {
  const [allUsers, codes, allAmounts] = [charges.users(), charges.currencyCodes(), charges.amounts()]
  const { ordinals } = currencies
  const ends = endsOf({ length, codes, ordinals }, count)
  const next = Uint32Array.from({ length: count }, (_, ordinal) => ends[ordinal - 1] ?? 0)
  const [users, amounts] = [new Uint32Array(length), new Uint16Array(length)]
  for (let at = 0; at < length; at++) {
    const ordinal = ordinals[codes[at] as number] as number
    const to = next[ordinal] as number
    users[to] = allUsers[at] as number
    amounts[to] = allAmounts[at] as number
    next[ordinal] = to + 1
  }
  return Array.from(ends, (to, ordinal) => {
    const from = ends[ordinal - 1] ?? 0
    return { ordinal, users: users.subarray(from, to), amounts: amounts.subarray(from, to) }
  }).filter((own) => own.users.length > 0)
}

interface CodedCurrencies {
  readonly length: number
  readonly codes: Uint16Array
  readonly ordinals: Uint32Array
}

/** The end of each currency's charges, once they are sorted. */
function endsOf({ length, codes, ordinals }: CodedCurrencies, count: number): Uint32Array {
  const counts = new Uint32Array(ordinals.length)
  for (let at = 0; at < length; at++) increase(counts, codes[at] as number)
  const ends = new Uint32Array(count)
  for (const [code, events] of counts.entries()) if (events > 0) increase(ends, ordinals[code] as number, events)
  for (let ordinal = 1; ordinal < count; ordinal++) increase(ends, ordinal, ends[ordinal - 1])
  return ends
}
