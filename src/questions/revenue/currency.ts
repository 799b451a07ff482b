import { CURRENCY_PATTERN } from '../revenue-rules/currency-code.ts'

/** A currency's code in capitals; null for text that is no code. */
export function toCurrency(text: string | null): string | null {
  return text !== null && CURRENCY_PATTERN.test(text) ? text.toUpperCase() : null
}

/** The number of decimals of the smallest unit of each currency: of Stars, toncoins (nanotons), Tether, and ISO codes once they are looked up. */
const DIGITS = new Map([
  ['XTR', 0],
  ['TON', 9],
  ['USDT', 6],
])

const ISO_CODE = /^[A-Z]{3}$/
const USUAL_DIGITS = 2

/** The number of decimals of a currency's smallest unit. */
export function digitsOf(currency: string): number {
  const known = DIGITS.get(currency)
  if (known !== undefined) return known
  if (!ISO_CODE.test(currency)) return USUAL_DIGITS
  // Codes unknown to `Intl` have two decimals.
  const format = new Intl.NumberFormat('en', { style: 'currency', currency })
  const digits = format.resolvedOptions().maximumFractionDigits ?? USUAL_DIGITS
  // There are at most 26³ such codes.
  DIGITS.set(currency, digits)
  return digits
}
