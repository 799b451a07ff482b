/** Maps the numbers below 2^32 onto themselves, one to one: `lowbias32` of github.com/skeeto/hash-prospector. */
export function mix(value: number): number {
  let mixed = value ^ (value >>> 16)
  mixed = Math.imul(mixed, 0x7feb352d)
  mixed ^= mixed >>> 15
  mixed = Math.imul(mixed, 0x846ca68b)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

/** Depends on both numbers and on their order. */
export function hash(first: number, second: number): number {
  return mix(mix(first) + second)
}

/** SplitMix of 32 bits: a counter, mixed. The same seed always gives the same numbers. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed
  }

  /** From 0 to below 1. */
  next(): number {
    this.#state = (this.#state + 0x9e3779b9) | 0
    return mix(this.#state) / 2 ** 32
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  /** A whole number; both ends are possible. */
  whole(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1))
  }

  /** Small numbers more often than large ones: uniform in the logarithm. `from` is above 0. */
  logUniform(from: number, to: number): number {
    return from * (to / from) ** this.next()
  }

  pick<T>(items: readonly T[]): T {
    return items[this.whole(0, items.length - 1)] as T
  }
}

/** A list to pick from that holds each item as often as its weight, a whole number. */
export function weighted<T>(items: readonly (readonly [item: T, weight: number])[]): readonly T[] {
  return items.flatMap(([item, weight]) => new Array<T>(weight).fill(item))
}
