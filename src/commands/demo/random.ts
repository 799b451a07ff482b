const GOLDEN = 0x9e3779b9

/** A number below 2^32 that depends on every part and on their order; the same parts always give the same number. */
export function hash(...parts: readonly number[]): number {
  let state = GOLDEN
  for (const part of parts) state = scramble((Math.imul(state, 31) + part) | 0)
  return state
}

/** Maps the numbers below 2^32 onto themselves, each onto another one: distinct ones stay distinct. */
export function scramble(value: number): number {
  let mixed = value ^ (value >>> 16)
  mixed = Math.imul(mixed, 0x7feb352d)
  mixed ^= mixed >>> 15
  mixed = Math.imul(mixed, 0x846ca68b)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

/** From 0 to below 1. */
export function unit(...parts: readonly number[]): number {
  return hash(...parts) / 2 ** 32
}

/** A value with its weight. */
export type Weighted<T> = readonly (readonly [value: T, weight: number])[]

/** A row of draws that is the same every time it starts from the same seed. */
export class Dice {
  #state: number

  constructor(...seed: readonly number[]) {
    this.#state = hash(...seed)
  }

  unit(): number {
    this.#state = (this.#state + GOLDEN) | 0
    return scramble(this.#state) / 2 ** 32
  }

  chance(probability: number): boolean {
    return this.unit() < probability
  }

  /** A whole number; both ends are possible. */
  whole(from: number, to: number): number {
    return from + Math.floor(this.unit() * (to - from + 1))
  }

  /** Small values often, great ones rarely: spread evenly over orders of magnitude. `from` is above 0. */
  skewed(from: number, to: number): number {
    return from * (to / from) ** this.unit()
  }

  pick<T>(items: readonly T[]): T {
    return items[Math.floor(this.unit() * items.length)] as T
  }

  weighted<T>(items: Weighted<T>): T {
    let rest = this.unit() * items.reduce((sum, [, weight]) => sum + weight, 0)
    const found = items.find(([, weight]) => {
      rest -= weight
      return rest < 0
    })
    return (found ?? items.at(-1))?.[0] as T
  }

  /** Distinct items, in the order of the list. */
  some<T>(items: readonly T[], count: number): T[] {
    const ranked = items.map((item) => ({ item, rank: this.unit() })).sort((a, b) => a.rank - b.rank)
    const kept = new Set(ranked.slice(0, count).map(({ item }) => item))
    return items.filter((item) => kept.has(item))
  }
}
