export const CURRENCY_PATTERN = /^[A-Za-z0-9]{2,10}$/

/** A currency's code in capitals; null for what is none. */
export function toCurrency(text: string | null): string | null {
  return text !== null && CURRENCY_PATTERN.test(text) ? text.toUpperCase() : null
}

/** Digits behind the point that the smallest unit of these has: Stars, toncoins (nanotons), Tether. */
const DIGITS: ReadonlyMap<string, number> = new Map([
  ['XTR', 0],
  ['TON', 9],
  ['USDT', 6],
])

const ISO_CODE = /^[A-Z]{3}$/
const USUAL_DIGITS = 2

/** How many digits behind the point the smallest unit of a currency has. */
export function digitsOf(currency: string): number {
  const known = DIGITS.get(currency)
  if (known !== undefined) return known
  if (!ISO_CODE.test(currency)) return USUAL_DIGITS
  // Codes that it does not know have the usual digits.
  const format = new Intl.NumberFormat('en', { style: 'currency', currency })
  return format.resolvedOptions().maximumFractionDigits ?? USUAL_DIGITS
}
