/** An exact decimal number: `digits` / 10^`scale`. The scale is never negative, and as small as it can be: so equal numbers look the same. */
export interface Decimal {
  readonly digits: bigint
  readonly scale: number
}

/** A number has at most this many digits before its decimal point, and at most as many after it. */
export const MAX_DECIMAL_DIGITS = 100

export const ZERO: Decimal = { digits: 0n, scale: 0 }

const JSON_NUMBER = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/

/** The number that a text is: one JSON number, and nothing else. Null for other texts, and for numbers with too many digits. */
export function parseDecimal(text: string): Decimal | null {
  const match = JSON_NUMBER.exec(text)
  if (!match) return null
  const [, sign, whole = '', fraction = '', exponent = '0'] = match
  const all = whole + fraction
  const [from, to] = [firstNonzero(all), afterLastNonzero(all)]
  if (from >= to) return ZERO
  const significant = all.slice(from, to)
  // Infinite where the exponent is, and then it is refused.
  const scale = to - whole.length - Number(exponent)
  if (scale > MAX_DECIMAL_DIGITS || significant.length - scale > MAX_DECIMAL_DIGITS) return null
  return scaled(BigInt(sign + significant), scale)
}

/** The shortest decimal that a finite double is the nearest one of. */
export function decimalOfDouble(double: number): Decimal {
  const [digits = '', exponent = '0'] = double.toExponential().split('e')
  const [whole = '', fraction = ''] = digits.split('.')
  return scaled(BigInt(whole + fraction), fraction.length - Number(exponent))
}

/** The scale may be negative. */
function scaled(digits: bigint, scale: number): Decimal {
  return scale < 0 ? { digits: digits * powerOfTen(-scale), scale: 0 } : { digits, scale }
}

function firstNonzero(text: string): number {
  let index = 0
  while (text[index] === '0') index++
  return index
}

function afterLastNonzero(text: string): number {
  let index = text.length
  while (text[index - 1] === '0') index--
  return index
}

/** `digits` / 10^`scale`, whatever zeros the digits end with. */
export function decimalOf(digits: bigint, scale = 0): Decimal {
  let [rest, left] = [digits, scale]
  while (left > 0 && rest % 10n === 0n) {
    rest /= 10n
    left -= 1
  }
  return { digits: rest, scale: left }
}

export function add(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale)
  return decimalOf(digitsAt(a, scale) + digitsAt(b, scale), scale)
}

export function subtract(a: Decimal, b: Decimal): Decimal {
  return add(a, negate(b))
}

function negate({ digits, scale }: Decimal): Decimal {
  return { digits: -digits, scale }
}

export function multiply(a: Decimal, b: Decimal): Decimal {
  return decimalOf(a.digits * b.digits, a.scale + b.scale)
}

/** Negative where the first is less, positive where it is greater. */
export function compareDecimals(a: Decimal, b: Decimal): number {
  const scale = Math.max(a.scale, b.scale)
  const [one, other] = [digitsAt(a, scale), digitsAt(b, scale)]
  return Number(one > other) - Number(one < other)
}

/** The digits that a number has at this scale, which must not be less than its own. */
export function digitsAt({ digits, scale }: Decimal, atScale: number): bigint {
  return scale === atScale ? digits : digits * powerOfTen(atScale - scale)
}

/** The nearest double; of two that are as near, the one whose last bit is 0. */
export function toDouble(decimal: Decimal): number {
  return quotientOf(decimal, ONE)
}

const ONE: Decimal = { digits: 1n, scale: 0 }

/**
 * The double nearest to the exact quotient. The divisor is not 0; both are below 10^200 and, unless they are 0, above 10^-100, so that
 * the result is neither infinite nor too small for all its bits.
 */
export function quotientOf(dividend: Decimal, divisor: Decimal): number {
  const scale = Math.max(dividend.scale, divisor.scale)
  const [part, whole] = [digitsAt(dividend, scale), digitsAt(divisor, scale)]
  if (whole === 0n) throw new RangeError('division by zero')
  const isNegative = part < 0n !== whole < 0n
  const size = nearestQuotient(part < 0n ? -part : part, whole < 0n ? -whole : whole)
  return isNegative && size !== 0 ? -size : size
}

/** More bits than a double has: at least 64 of the quotient. The last bit is 1 if there is a remainder. */
const QUOTIENT_BITS = 64

function nearestQuotient(part: bigint, whole: bigint): number {
  // Both are exact as doubles, and a division of doubles rounds once.
  if (part <= MAX_EXACT && whole <= MAX_EXACT) return Number(part) / Number(whole)
  const shift = QUOTIENT_BITS - bitsOf(part) + bitsOf(whole)
  const dividend = shift > 0 ? part << BigInt(shift) : part
  const divisor = shift > 0 ? whole : whole << BigInt(-shift)
  const isExact = dividend % divisor === 0n
  return Number((dividend / divisor) | (isExact ? 0n : 1n)) * 2 ** -shift
}

const MAX_EXACT = BigInt(Number.MAX_SAFE_INTEGER)

/** How many bits a number has, to within three. */
function bitsOf(number: bigint): number {
  return number.toString(16).length * 4
}

const POWERS = Array.from({ length: 2 * MAX_DECIMAL_DIGITS + 1 }, (_, exponent) => 10n ** BigInt(exponent))

function powerOfTen(exponent: number): bigint {
  return POWERS[exponent] ?? 10n ** BigInt(exponent)
}
