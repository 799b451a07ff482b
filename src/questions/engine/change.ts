/** The change in percent. From zero, it is 100 if there is anything now, else 0. */
export function changePercent(now: number, then: number): number {
  if (then === 0) return now === 0 ? 0 : 100
  return ((now - then) / then) * 100
}

/** A figure before division and rounding: two non-negative whole numbers, of any size as bigints. 0 / 0 is 0. */
export interface Fraction<N extends number | bigint = number> {
  readonly part: N
  readonly whole: N
}

export type AnyFraction = Fraction | Fraction<bigint>

export function unrounded({ part, whole }: Fraction): number {
  return whole === 0 ? 0 : part / whole
}

/** The nearest whole number; halves round up. */
export function rounded({ part, whole }: AnyFraction): number {
  if (typeof part === 'number' && typeof whole === 'number') return whole === 0 ? 0 : Math.round(part / whole)
  const [some, all] = [BigInt(part), BigInt(whole)]
  return all === 0n ? 0 : Number((2n * some + all) / (2n * all))
}

/** The exact mean of figures; 0 without figures. */
export function meanOf(fractions: readonly Fraction[]): Fraction<bigint> {
  let [part, whole] = [0n, 1n]
  for (const fraction of fractions) {
    if (fraction.whole === 0) continue
    part = part * BigInt(fraction.whole) + BigInt(fraction.part) * whole
    whole *= BigInt(fraction.whole)
  }
  return { part, whole: whole * BigInt(fractions.length) }
}

/** The change in whole percent of the unrounded figures, rounded half away from zero. */
export function wholePercentChange(now: AnyFraction, then: AnyFraction): number {
  const [amount, per] = wholeNumbersOf(now)
  const [formerAmount, formerPer] = wholeNumbersOf(then)
  if (formerAmount === 0n) return amount === 0n ? 0 : 100
  const [current, former] = [amount * formerPer, formerAmount * per]
  const difference = current - former
  const halves = (difference < 0n ? -difference : difference) * 200n + former
  const percent = Number(halves / (2n * former))
  return difference < 0n ? -percent + 0 : percent
}

/** Part and whole as bigints; 0 / 0 becomes 0 / 1. */
function wholeNumbersOf({ part, whole }: AnyFraction): readonly [part: bigint, whole: bigint] {
  return BigInt(whole) === 0n ? [0n, 1n] : [BigInt(part), BigInt(whole)]
}
