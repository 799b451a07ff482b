import { increase } from '../../columns/flat-arrays.ts'
import { type ChargeAmounts, STATES } from './amount-tables.ts'
import { amountsIn, type Charges } from './charges.ts'

/** Charges in one currency. */
interface ChargesInCurrency {
  readonly currency: string
  /** The users, in an array of their own. Gathered only when called: sums do without them. */
  readonly users: () => Uint32Array
  readonly amounts: ChargeAmounts
}

/** Splits charges by currency; one may come several times. The next charges may overwrite amounts. */
export function splitByCurrency(charges: Charges): ChargesInCurrency[] {
  const { states, texts } = charges.currencies
  const isWanted = (code: number) => texts[code] !== null && (!states || states[code] === STATES.wanted)
  const [only, ...others] = [...texts.keys()].filter(isWanted)
  if (only === undefined || others.length > 0) return sortedByCurrency(charges)
  const currency = texts[only] as string
  return [{ currency, users: () => charges.users().slice(), amounts: amountsIn(charges, currency) }]
}

function sortedByCurrency(charges: Charges): ChargesInCurrency[] {
  const { count, currencies } = charges
  const [allUsers, allAmounts, codes] = [charges.users(), charges.amountCodes(), charges.currencyCodes()]
  const ends = endsOf(codes, currencies.texts.length)
  const starts = ends.slice()
  const [users, amounts] = [new Uint32Array(count), new Uint16Array(count)]
  for (let at = count - 1; at >= 0; at--) {
    const code = codes[at] as number
    const to = (starts[code] as number) - 1
    users[to] = allUsers[at] as number
    amounts[to] = allAmounts[at] as number
    starts[code] = to
  }
  return currencies.texts.flatMap((currency, code) => {
    const [from, to] = [starts[code] as number, ends[code] as number]
    if (currency === null || from === to) return []
    const own = { codes: amounts.subarray(from, to), groups: charges.digitsIn(currency) }
    return [{ currency, users: () => users.subarray(from, to), amounts: own }]
  })
}

/** The end of the charges of each code, once they are sorted by it. */
function endsOf(codes: Uint16Array, count: number): Uint32Array {
  const ends = new Uint32Array(count)
  for (let at = 0; at < codes.length; at++) increase(ends, codes[at] as number)
  for (let code = 1; code < count; code++) increase(ends, code, ends[code - 1])
  return ends
}
