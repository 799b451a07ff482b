import { type Decimal, decimalOf, quotientOf, ZERO } from '../../base/decimal.ts'

/** An exact figure before division; the divisor is greater than 0. */
export interface Quotient {
  readonly dividend: Decimal
  readonly divisor: Decimal
}

const ONE = decimalOf(1n)

export function wholeOf(dividend: Decimal): Quotient {
  return { dividend, divisor: ONE }
}

/** A total divided by a count. */
export function perEach(dividend: Decimal, count: number): Quotient {
  return { dividend, divisor: decimalOf(BigInt(count)) }
}

/** The nearest double, as answers contain it; null for null. */
export function toNumber(quotient: Quotient | null): number | null {
  return quotient && quotientOf(quotient.dividend, quotient.divisor)
}

/** The nearest whole number, halves away from zero; 0 for null. */
export function roundedQuotient(quotient: Quotient | null): number {
  const [part, whole] = fractionOf(quotient)
  return roundedDivision(part, whole)
}

/**
 * The change in whole percent of the former figure's absolute value, rounded half away from zero. From zero or null it
 * is 100 if the figure is positive, -100 if it is negative, and else 0.
 */
export function percentChange(now: Quotient | null, then: Quotient | null): number {
  const [part, whole] = fractionOf(now)
  const [formerPart, formerWhole] = fractionOf(then)
  if (formerPart === 0n) return 100 * (Number(part > 0n) - Number(part < 0n))
  const [current, former] = [part * formerWhole, formerPart * whole]
  return roundedDivision(100n * (current - former), sizeOf(former))
}

/** A quotient as a fraction of two whole numbers, the second greater than 0; null is 0. */
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
