import { type Limits, MEDIAN, ranksOf, type Spread } from './by-rank.ts'

// What objects send of long lists of numbers, so that the median of all of them is found without sending them all.

type Numbers = Float64Array | Uint32Array

/** The numbers greater than `low` and less than `high`: how many are at the ends is said by others. */
export interface NumberRange {
  readonly low: number
  readonly high: number
}

export const EVERY_NUMBER: NumberRange = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY }

/** The numbers of one object in a range. */
export interface Sample {
  /** The number of values before the range, including its start. */
  readonly below: number
  /** The number of values in the range. */
  readonly count: number
  /** In order: all or, if they are too many to be sent, evenly spaced ones from the first to the last. */
  readonly numbers: Numbers
}

const NOTHING: Sample = { below: 0, count: 0, numbers: new Uint32Array(0) }

/** The least and the greatest one: without them, a range might not become narrower. */
const MIN_SENT = 2
/** Sent of a list that is too long. The range that must have the middle then holds at most one in 500 of the numbers of all objects. */
const SAMPLED = 1_024

/** Splits an answer's budget of numbers: what short lists leave goes to long ones. */
export function maxSentOf(lengths: readonly number[], allNumbers: number): number {
  let [left, lists] = [allNumbers, lengths.length]
  for (const length of lengths.toSorted((a, b) => a - b)) {
    if (length > left / lists) return Math.max(MIN_SENT, Math.floor(left / lists))
    left -= length
    lists -= 1
  }
  return allNumbers
}

/** Samples the numbers of a range; nothing if there is no range. Reorders the numbers. */
export function sampleOf(numbers: Numbers, range: NumberRange | null, maxSent: number): Sample {
  if (!range) return NOTHING
  const { below, within } = narrow(numbers, range)
  const count = within.length
  within.sort()
  // A copy, as an array travels with its whole buffer.
  if (count <= Math.max(MIN_SENT, maxSent)) return { below, count, numbers: within.slice() }
  const sampled = emptyLike(numbers, Math.max(MIN_SENT, Math.min(maxSent, SAMPLED)))
  for (const index of sampled.keys()) sampled[index] = within[rankAt(index, sampled.length, count)] as number
  return { below, count, numbers: sampled }
}

/** Samples the one or two numbers in the middle, for an object that has all of them and `less` ones before them. Reorders the numbers. */
export function middleSampleOf(numbers: Numbers, less = 0): Sample {
  const [lower, upper] = ranksOf(MEDIAN, less + numbers.length).map((rank) => rank - less) as [number, number]
  const first = Math.max(0, lower)
  const middle = upper < first || numbers.length === 0 ? numbers.slice(0, 0) : selected(numbers, first, upper)
  return { below: first, count: middle.length, numbers: middle }
}

/** How the numbers of an object are spread: those that were sent, each a range of its own, and between two of them those that were not. */
export function spreadOfSample({ below, count, numbers }: Sample): Spread<number> {
  const sent = numbers.length
  return {
    below,
    length: Math.max(0, 2 * sent - 1),
    endAt: (index, end) => numbers[(index + end) >>> 1] as number,
    countBefore: (index) => rankAt(index >>> 1, sent, count) + (index & 1),
  }
}

/** How many numbers of an object's list are before a number that it sent. */
function rankAt(index: number, sent: number, count: number): number {
  return sent === count ? index : Math.floor((index * (count - 1)) / (sent - 1))
}

/** The range in which objects are asked for a median; null if it is known. */
export function rangeWithin(limits: Limits<number> | null): NumberRange | null {
  return limits && { low: limits.least, high: limits.most }
}

function emptyLike(numbers: Numbers, length: number): Numbers {
  return numbers instanceof Uint32Array ? new Uint32Array(length) : new Float64Array(length)
}

/** Moves the numbers of the range to the front. */
function narrow(numbers: Numbers, { low, high }: NumberRange): { readonly below: number; readonly within: Numbers } {
  let [below, count] = [0, 0]
  for (let index = 0; index < numbers.length; index++) {
    const number = numbers[index] as number
    if (number <= low) below += 1
    else if (number < high) numbers[count++] = number
  }
  return { below, within: numbers.subarray(0, count) }
}

/** The numbers at an index and at the same one or the next if all were sorted. Reorders the numbers. */
function selected(numbers: Numbers, first: number, last: number): Numbers {
  select(numbers, first)
  // All after the selected index are at least as great, so the next one is the least of those after it.
  if (last > first) moveLeastTo(numbers, last)
  return numbers.slice(first, last + 1)
}

/** Quickselect: puts the number at an index that would be there if all were sorted, none greater before it and none less after it. */
function select(numbers: Numbers, index: number): void {
  let [from, to] = [0, numbers.length - 1]
  while (from < to) {
    const pivot = numbers[(from + to) >>> 1] as number
    let [left, right] = [from, to]
    while (left <= right) {
      while ((numbers[left] as number) < pivot) left++
      while ((numbers[right] as number) > pivot) right--
      if (left > right) break
      swap(numbers, left, right)
      left++
      right--
    }
    if (index <= right) to = right
    else if (index >= left) from = left
    else return
  }
}

function moveLeastTo(numbers: Numbers, index: number): void {
  for (let other = index + 1; other < numbers.length; other++) {
    if ((numbers[other] as number) < (numbers[index] as number)) swap(numbers, other, index)
  }
}

function swap(numbers: Numbers, a: number, b: number): void {
  const number = numbers[a] as number
  numbers[a] = numbers[b] as number
  numbers[b] = number
}
