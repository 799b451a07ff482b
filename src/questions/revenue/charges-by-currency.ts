import { increase } from '../../columns/flat-arrays.ts'
import { type ChargeAmounts, STATES } from './amount-tables.ts'
import type { Charges } from './charges.ts'

/** Charges in one currency. */
interface ChargesInCurrency {
  readonly currency: string
  readonly users: Uint32Array
  readonly amounts: ChargeAmounts
}

/** Splits charges by currency, of which one may come several times. The next charges may overwrite the users and codes. */
export function splitByCurrency(charges: Charges): ChargesInCurrency[] {
  const { states, texts } = charges.currencies
  const isWanted = (code: number) => texts[code] !== null && (!states || states[code] === STATES.wanted)
  const [only, ...others] = [...texts.keys()].filter(isWanted)
  if (only === undefined || others.length > 0) return sortedByCurrency(charges)
  const currency = texts[only] as string
  return [{ currency, users: charges.users(), amounts: charges.amountsIn(currency) }]
}

function sortedByCurrency(charges: Charges): ChargesInCurrency[] {
  const { count, currencies } = charges
  const [allUsers, codes] = [charges.users(), charges.currencyCodes()]
  const ends = endsOf(codes, currencies.texts.length)
  const starts = ends.slice()
  const order = new Uint16Array(count)
  for (let at = count - 1; at >= 0; at--) {
    const code = codes[at] as number
    increase(starts, code, -1)
    order[starts[code] as number] = at
  }
  return currencies.texts.flatMap((currency, code) => {
    const own = order.subarray(starts[code], ends[code])
    if (currency === null || own.length === 0) return []
    const { codes: allAmounts, groups } = charges.amountsIn(currency)
    const users = Uint32Array.from(own, (at) => allUsers[at] as number)
    return [{ currency, users, amounts: { codes: own.map((at) => allAmounts[at] as number), groups } }]
  })
}

/** The end of the charges of each code, once they are sorted by it. */
function endsOf(codes: Uint16Array, count: number): Uint32Array {
  const ends = new Uint32Array(count)
  for (let at = 0; at < codes.length; at++) increase(ends, codes[at] as number)
  for (let code = 1; code < count; code++) increase(ends, code, ends[code - 1])
  return ends
}
