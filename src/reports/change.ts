/** In percent of what was; from zero it is 100 where there is something now, else 0. */
export function changePercent(now: number, then: number): number {
  if (then === 0) return now === 0 ? 0 : 100
  return ((now - then) / then) * 100
}

/** A figure before it is divided, so that nothing is lost by rounding: two whole numbers, not negative. Nothing of nothing is 0. */
export interface Fraction {
  readonly part: number
  readonly whole: number
}

/** The nearest whole number; halves go up. */
export function rounded({ part, whole }: Fraction): number {
  return whole === 0 ? 0 : Math.round(part / whole)
}

/** The change in whole percent of the unrounded figures, rounded half away from zero. */
export function wholePercentChange(now: Fraction, then: Fraction): number {
  const [current, former] = [BigInt(now.part) * BigInt(then.whole), BigInt(then.part) * BigInt(now.whole)]
  if (then.part === 0 || then.whole === 0) return now.part === 0 ? 0 : 100
  if (now.whole === 0) return -100
  const difference = current - former
  const halves = (difference < 0n ? -difference : difference) * 200n + former
  return Math.sign(Number(difference)) * Number(halves / (2n * former)) + 0
}
