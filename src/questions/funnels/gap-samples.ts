import type { Gaps } from './progress.ts'

// What objects say of the gaps between two steps, so that the median of all of them can be found without sending them all.

/** The gaps greater than `low` and less than `high`. */
export interface GapRange {
  readonly low: number
  readonly high: number
}

export const EVERY_GAP: GapRange = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY }

/** The gaps of one object in a range. */
export interface GapSample {
  /** How many gaps lie before the range, its start included. */
  readonly below: number
  /** How many lie in it. */
  readonly count: number
  /** In order: all or, where they are too many to be sent, evenly spaced ones from the first to the last. */
  readonly gaps: Gaps
}

/** The least and the greatest one: without them, a range might not become narrower. */
const MIN_SENT = 2
/** Sent of a list that is too long. The range that must have the middle then holds at most one in 500 of the gaps of all objects. */
const SAMPLED = 1_024

/** How many gaps of each list an object may send, if it may send so many of all: short lists leave room for the long ones. */
export function maxSentOf(lengths: readonly number[], allGaps: number): number {
  let [left, lists] = [allGaps, lengths.length]
  for (const length of lengths.toSorted((a, b) => a - b)) {
    if (length > left / lists) return Math.max(MIN_SENT, Math.floor(left / lists))
    left -= length
    lists -= 1
  }
  return allGaps
}

/** Reorders the gaps. */
export function sampleOf(gaps: Gaps, range: GapRange, maxSent: number): GapSample {
  const { below, within } = narrow(gaps, range)
  const count = within.length
  within.sort()
  // A copy, as an array travels with its whole buffer.
  if (count <= maxSent) return { below, count, gaps: within.slice() }
  const sampled = emptyLike(gaps, Math.min(maxSent, SAMPLED))
  for (const index of sampled.keys()) sampled[index] = within[rankAt(index, sampled.length, count)] as number
  return { below, count, gaps: sampled }
}

/** The one or two in the middle, of an object that has all users. Reorders the gaps. */
export function middleSampleOf(gaps: Gaps): GapSample {
  const middle = middleOf(gaps)
  return { below: (gaps.length - middle.length) / 2, count: middle.length, gaps: middle }
}

/** How many gaps of its list lie before one that was sent. */
export function rankAt(index: number, sent: number, count: number): number {
  return sent === count ? index : Math.floor((index * (count - 1)) / (sent - 1))
}

function emptyLike(gaps: Gaps, length: number): Gaps {
  return gaps instanceof Uint32Array ? new Uint32Array(length) : new Float64Array(length)
}

/** Moves the gaps of the range to the front. */
function narrow(gaps: Gaps, { low, high }: GapRange): { readonly below: number; readonly within: Gaps } {
  let [below, count] = [0, 0]
  for (let index = 0; index < gaps.length; index++) {
    const gap = gaps[index] as number
    if (gap <= low) below += 1
    else if (gap < high) gaps[count++] = gap
  }
  return { below, within: gaps.subarray(0, count) }
}

/** The one or two in the middle of some figures in order, whose mean is the median. Reorders the figures. */
export function middleOf<G extends Gaps>(figures: G): G {
  const { length } = figures
  if (length === 0) return figures.slice() as G
  const low = (length - 1) >>> 1
  const high = length >>> 1
  select(figures, low)
  // All before the selected index are at most as great, all after it at least, so the next one is the least of those after it.
  if (high > low) moveLeastTo(figures, high)
  return figures.slice(low, high + 1) as G
}

/** Quickselect: puts the figure at an index that would be there if all were sorted, none greater before it and none less after it. */
export function select(figures: Gaps, index: number): void {
  let [from, to] = [0, figures.length - 1]
  while (from < to) {
    const pivot = figures[(from + to) >>> 1] as number
    let [left, right] = [from, to]
    while (left <= right) {
      while ((figures[left] as number) < pivot) left++
      while ((figures[right] as number) > pivot) right--
      if (left > right) break
      swap(figures, left, right)
      left++
      right--
    }
    if (index <= right) to = right
    else if (index >= left) from = left
    else return
  }
}

function moveLeastTo(figures: Gaps, index: number): void {
  for (let other = index + 1; other < figures.length; other++) {
    if ((figures[other] as number) < (figures[index] as number)) swap(figures, other, index)
  }
}

function swap(figures: Gaps, a: number, b: number): void {
  const figure = figures[a] as number
  figures[a] = figures[b] as number
  figures[b] = figure
}
