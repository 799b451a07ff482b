import { type Decimal, decimalOf, quotientOf, ZERO } from '../../base/decimal.ts'

/** An exact figure before it is divided; the divisor is greater than 0. */
export interface Quotient {
  readonly dividend: Decimal
  readonly divisor: Decimal
}

const ONE = decimalOf(1n)

export function wholeOf(dividend: Decimal): Quotient {
  return { dividend, divisor: ONE }
}

/** Divided by how many there are. */
export function perEach(dividend: Decimal, count: number): Quotient {
  return { dividend, divisor: decimalOf(BigInt(count)) }
}

/** As it is sent: the nearest double; null of nothing. */
export function toNumber(quotient: Quotient | null): number | null {
  return quotient && quotientOf(quotient.dividend, quotient.divisor)
}

/** The nearest whole number, halves away from zero; 0 of nothing. */
export function roundedQuotient(quotient: Quotient | null): number {
  const [part, whole] = fractionOf(quotient)
  return roundedDivision(part, whole)
}

/**
 * The change in whole percent of the size of the former figure, rounded half away from zero. From zero, or nothing, it is 100 if there
 * is more now, and -100 if there is less.
 */
export function percentChange(now: Quotient | null, then: Quotient | null): number {
  const [part, whole] = fractionOf(now)
  const [formerPart, formerWhole] = fractionOf(then)
  if (formerPart === 0n) return 100 * (Number(part > 0n) - Number(part < 0n))
  const [current, former] = [part * formerWhole, formerPart * whole]
  return roundedDivision(100n * (current - former), sizeOf(former))
}

/** Two whole numbers of the same quotient, the second greater than 0. */
function fractionOf(quotient: Quotient | null): readonly [bigint, bigint] {
  const { dividend, divisor } = quotient ?? wholeOf(ZERO)
  return [dividend.digits * 10n ** BigInt(divisor.scale), divisor.digits * 10n ** BigInt(dividend.scale)]
}

function roundedDivision(part: bigint, whole: bigint): number {
  const size = Number((2n * sizeOf(part) + whole) / (2n * whole))
  return part < 0n && size > 0 ? -size : size
}

function sizeOf(number: bigint): bigint {
  return number < 0n ? -number : number
}
