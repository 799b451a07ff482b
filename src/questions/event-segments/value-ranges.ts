import { compareDecimals, type Decimal, decimalOfDouble } from '../../base/decimal.ts'

/** A number by its nearest double; most comparisons need no more. */
export interface NumericValue {
  readonly near: number
  /** Null where it is the shortest decimal of that double. */
  readonly exact: Decimal | null
}

export function toDecimal({ near, exact }: NumericValue): Decimal {
  return exact ?? decimalOfDouble(near)
}

export function compareNumeric(a: NumericValue, b: NumericValue): number {
  if (a.near !== b.near) return a.near - b.near
  return a.exact || b.exact ? compareDecimals(toDecimal(a), toDecimal(b)) : 0
}

// A cell may have more distinct values than fit: then ranges of them stand for the values, each with the exact number of its events.

/** Values from one to another, both inclusive, and how many events have one of them. */
export interface ValueRange {
  readonly least: NumericValue
  readonly most: NumericValue
  readonly count: number
}

/** In the middle of which values a figure lies. */
export interface NumericLimits {
  readonly least: NumericValue
  readonly most: NumericValue
}

/** Neighbouring values are in two ranges at most: the others are left out in the next round. */
const MIN_RANGES = 4

/** The values of many cells, in at most so many ranges together; in a few more where the cells are very many. */
export class RangesOfCells {
  readonly #max: number
  /** Each cell has at most twice so many ranges. They do not overlap, and are in order. */
  #room: number
  readonly #cells: ValueRange[][] = []
  #total = 0

  constructor(max: number) {
    this.#max = max
    this.#room = Math.max(MIN_RANGES, max)
  }

  /** Adds single values that are in order, each with its count. */
  add(cell: number, values: readonly ValueRange[]): void {
    const before = this.#cells[cell] ?? []
    this.#set(cell, mergedRanges(before, values))
    while (this.#total > this.#max && this.#room > MIN_RANGES) {
      this.#room = Math.max(MIN_RANGES, this.#room >>> 1)
      for (const [index, ranges] of this.#cells.entries()) if (ranges) this.#set(index, ranges)
    }
  }

  of(cell: number): readonly ValueRange[] {
    return this.#cells[cell] ?? []
  }

  #set(cell: number, ranges: ValueRange[]): void {
    const fitting = ranges.length > 2 * this.#room ? joinedRanges(ranges, this.#room) : ranges
    this.#total += fitting.length - (this.#cells[cell]?.length ?? 0)
    this.#cells[cell] = fitting
  }
}

/** A value within a range belongs to it, any other is a range of its own. */
function mergedRanges(ranges: readonly ValueRange[], values: readonly ValueRange[]): ValueRange[] {
  const merged: ValueRange[] = []
  let at = 0
  for (const value of values) {
    while (at < ranges.length && compareNumeric((ranges[at] as ValueRange).most, value.least) < 0) {
      merged.push(ranges[at++] as ValueRange)
    }
    const last = merged.at(-1)
    const next = ranges[at]
    if (next && compareNumeric(next.least, value.least) <= 0) {
      merged.push({ ...next, count: next.count + value.count })
      at++
    } else if (last && compareNumeric(last.most, value.least) >= 0) {
      merged[merged.length - 1] = { ...last, count: last.count + value.count }
    } else {
      merged.push(value)
    }
  }
  for (; at < ranges.length; at++) merged.push(ranges[at] as ValueRange)
  return merged
}

/**
 * Joins neighbours until there are so many ranges, of about as many events; a value that very many have stays alone. With fewer ranges,
 * limits might not become narrower.
 */
function joinedRanges(ranges: readonly ValueRange[], room: number): ValueRange[] {
  const events = ranges.reduce((sum, { count }) => sum + count, 0)
  const most = (2 * events) / room
  const joined: ValueRange[] = []
  let tooMany = ranges.length - room
  for (const range of ranges) {
    const last = joined.at(-1)
    if (last && tooMany > 0 && last.count + range.count <= most) {
      tooMany -= 1
      joined[joined.length - 1] = { least: last.least, most: range.most, count: last.count + range.count }
    } else {
      joined.push(range)
    }
  }
  return joined
}

/** Ranges in order, as they travel: the two ends of each, and how many events each has. */
export interface FlatRanges {
  readonly ends: Float64Array
  readonly counts: Uint32Array
  /** By index, the ends that are not the shortest decimals of their nearest doubles. */
  readonly exact: ReadonlyMap<number, Decimal>
}

export function toFlatRanges(ranges: readonly ValueRange[]): FlatRanges {
  const ends = ranges.flatMap(({ least, most }) => [least, most])
  return {
    ends: Float64Array.from(ends, ({ near }) => near),
    counts: Uint32Array.from(ranges, ({ count }) => count),
    exact: new Map(ends.flatMap(({ exact }, index) => (exact ? [[index, exact] as const] : []))),
  }
}

export function eventsIn({ counts }: FlatRanges): number {
  return counts.reduce((sum, count) => sum + count, 0)
}

function endAt({ ends, exact }: FlatRanges, index: number): NumericValue {
  return { near: ends[index] as number, exact: exact.get(index) ?? null }
}

/** What one object has of a cell. */
export interface CellValues {
  readonly notNumeric: number
  /** Values less than the limits; and those within them, all where there are none. */
  readonly below: number
  readonly ranges: FlatRanges
}

/**
 * Between which values the one of a rank must lie, from what all objects have of a cell: if every value were the least of its range, it
 * could be no less; if every one were the greatest, no greater. Where events have arrived since the limits were found and the rank
 * has left them, their nearest end stands for it.
 */
export function limitsOfRank(
  parts: readonly CellValues[],
  rank: number,
  limits: NumericLimits | null,
): NumericLimits | null {
  const ranges = parts.map((part) => part.ranges)
  const left = rank - parts.reduce((sum, { below }) => sum + below, 0)
  if (limits && left < 0) return { least: limits.least, most: limits.least }
  if (limits && left >= ranges.reduce((sum, own) => sum + eventsIn(own), 0))
    return { least: limits.most, most: limits.most }
  const least = valueAt(ranges, left, 0)
  const most = valueAt(ranges, left, 1)
  return least && most && { least, most }
}

/** The value of a rank if each one were the first (0) or the last (1) of its range: goes through the ranges of all objects in order. */
function valueAt(parts: readonly FlatRanges[], rank: number, end: 0 | 1): NumericValue | null {
  const others = parts.filter(({ counts }) => counts.length > 0).map((ranges) => ({ ranges, index: 0 }))
  for (let left = rank; ; ) {
    const next = others.reduce<RangeCursor | null>((a, b) => (a && !isBefore(b, a, end) ? a : b), null)
    if (!next) return null
    const count = next.ranges.counts[next.index] as number
    if (left < count) return endAt(next.ranges, 2 * next.index + end)
    left -= count
    next.index += 1
    if (next.index === next.ranges.counts.length) others.splice(others.indexOf(next), 1)
  }
}

interface RangeCursor {
  readonly ranges: FlatRanges
  index: number
}

function isBefore(a: RangeCursor, b: RangeCursor, end: 0 | 1): boolean {
  const [one, other] = [2 * a.index + end, 2 * b.index + end]
  const order = (a.ranges.ends[one] as number) - (b.ranges.ends[other] as number)
  return order === 0 ? compareNumeric(endAt(a.ranges, one), endAt(b.ranges, other)) < 0 : order < 0
}

/** The next double, or the one before. */
export function neighbourOf(number: number, direction: 1 | -1): number {
  if (number === 0) return direction * Number.MIN_VALUE
  const bits = new BigInt64Array(Float64Array.of(number).buffer)
  bits[0] = (bits[0] as bigint) + BigInt(number > 0 ? direction : -direction)
  return new Float64Array(bits.buffer)[0] as number
}
