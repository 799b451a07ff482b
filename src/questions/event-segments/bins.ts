import { behind, gallop, increase } from '../../columns/flat-arrays.ts'
import type { ParamNumbers } from '../../columns/selection/numbers.ts'
import { type FlatRanges, neighbourOf } from './value-ranges.ts'

/**
 * Ranges of numbers that do not overlap. They grow with each segment: numbers between two bins become new bins or, if
 * they are few, widen the bin beside them. If a segment has few numbers, each number is a bin.
 */
export class Bins {
  /**
   * The least and the greatest double of each bin, in rising order, and its ordinal, from 1 on in order of first sight.
   */
  #least: number[] = []
  #most: number[] = []
  #ordinals: number[] = []
  /** Whether a number may differ from its nearest double. */
  #isInexact = false

  /** The number of bins, which is also the highest ordinal. */
  get count(): number {
    return this.#ordinals.length
  }

  /** Per code: the ordinal of the number's bin; 0 if the value is not a number. */
  binsOf({ near, count, isInexact }: ParamNumbers): Uint16Array {
    this.#isInexact ||= isInexact
    const bins = new Uint16Array(near.length)
    const each = count <= SINGLES ? 1 : Math.ceil(count / USUAL)
    const gaps: Gap[] = []
    for (let [from, at] = [1, 0]; from <= count; ) {
      const number = near[from] as number
      at = gallop(this.#most, number, at, this.count)
      const isWithin = at < this.count && (this.#least[at] as number) <= number
      const to = isWithin
        ? behind(near, this.#most[at] as number, from, count + 1)
        : gallop(near, this.#least[at] ?? Number.POSITIVE_INFINITY, from, count + 1)
      if (isWithin) bins.fill(this.#ordinals[at] as number, from, to)
      else if (to - from >= each || this.count === 0) gaps.push({ at, from, to })
      else bins.fill(this.#widen(Math.max(0, at - 1), number, near[to - 1] as number), from, to)
      from = to
    }
    for (const gap of gaps.reverse()) this.#fill(gap, { near, bins, each })
    return bins
  }

  #widen(at: number, least: number, most: number): number {
    this.#least[at] = Math.min(least, this.#least[at] as number)
    this.#most[at] = Math.max(most, this.#most[at] as number)
    return this.#ordinals[at] as number
  }

  #fill({ at, ...gap }: Gap, { near, bins, each }: { near: Float64Array; bins: Uint16Array; each: number }): void {
    const [least, most, ordinals]: [number[], number[], number[]] = [[], [], []]
    for (let { from } = gap; from < gap.to; ) {
      const last = near[Math.min(from + each, gap.to) - 1] as number
      const to = behind(near, last, from, gap.to)
      least.push(near[from] as number)
      most.push(last)
      const ordinal = this.count + ordinals.length + 1
      ordinals.push(ordinal)
      bins.fill(ordinal, from, to)
      from = to
    }
    this.#least.splice(at, 0, ...least)
    this.#most.splice(at, 0, ...most)
    this.#ordinals.splice(at, 0, ...ordinals)
  }

  /** Joins neighbouring bins until at most `most` are left; returns each bin's new ordinal by its old one. */
  join(most: number): Uint16Array {
    const each = Math.max(2, Math.ceil(this.count / most))
    const now = new Uint16Array(this.count + 1)
    for (const [index, ordinal] of this.#ordinals.entries()) now[ordinal] = Math.floor(index / each) + 1
    const last = this.count - 1
    this.#least = this.#least.filter((_, index) => index % each === 0)
    this.#most = this.#most.filter((_, index) => index % each === each - 1 || index === last)
    this.#ordinals = this.#least.map((_, index) => index + 1)
    return now
  }

  /**
   * Joins bins with events into about `max` ranges of about as many events each; `counts` has the events per ordinal.
   */
  rangesOf(counts: Uint32Array, max: number): FlatRanges {
    const { found, events } = this.#found(counts)
    const most = found.length <= max ? 0 : (2 * events) / max
    const ends = new Float64Array(2 * found.length)
    const joined = new Uint32Array(found.length)
    let length = 0
    for (const index of found) {
      const count = counts[this.#ordinals[index] as number] as number
      if (length === 0 || (joined[length - 1] as number) + count > most) {
        ends[2 * length] = this.#endOf(this.#least[index] as number, -1)
        length += 1
      }
      increase(joined, length - 1, count)
      ends[2 * length - 1] = this.#endOf(this.#most[index] as number, 1)
    }
    return { ends: ends.slice(0, 2 * length), counts: joined.slice(0, length), exact: new Map() }
  }

  /** The indexes of the bins with events, and the number of these events. */
  #found(counts: Uint32Array): { readonly found: Uint16Array; readonly events: number } {
    const ordinals = this.#ordinals
    const found = new Uint16Array(ordinals.length)
    let [length, events] = [0, 0]
    for (let index = 0; index < ordinals.length; index++) {
      const count = counts[ordinals[index] as number] as number
      found[length] = index
      length += Number(count > 0)
      events += count
    }
    return { found: found.subarray(0, length), events }
  }

  #endOf(double: number, direction: 1 | -1): number {
    return this.#isInexact ? neighbourOf(double, direction) : double
  }
}

/** Up to this many numbers of a segment get a bin each; more share `USUAL` bins. */
export const SINGLES = 1_024
const USUAL = 256

interface Gap {
  /** The index of the bin that follows. */
  readonly at: number
  /** Codes, `to` exclusive. */
  readonly from: number
  readonly to: number
}
