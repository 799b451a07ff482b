import { compareNumeric, type NumericValue } from './value-tables.ts'

// A cell may have more distinct values than fit: then ranges of them stand for the values, each with the exact number of its events.

/** Values from one to another, both inclusive, and how many events have one of them. */
export interface ValueRange {
  readonly least: NumericValue
  readonly most: NumericValue
  readonly count: number
}

/** In the middle of which values a figure lies. */
export interface Limits {
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
  /** Cells that have any. */
  #used = 0

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

  /** Whether even the fewest ranges of each cell are too many. */
  get isOverfull(): boolean {
    return this.#used > 1 && this.#total > this.#max && this.#used * MIN_RANGES > this.#max
  }

  #set(cell: number, ranges: ValueRange[]): void {
    const fitting = ranges.length > 2 * this.#room ? joinedRanges(ranges, this.#room) : ranges
    if (!this.#cells[cell]) this.#used++
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

/** What one object has of a cell. */
export interface CellValues {
  readonly notNumeric: number
  /** Values less than the limits; and those within them, all where there are none. */
  readonly below: number
  readonly ranges: readonly ValueRange[]
}

/**
 * Between which values the one of a rank must lie, from what all objects have of a cell: if every value were the least of its range, it
 * could be no less; if every one were the greatest, no greater. Where events have arrived since the limits were found and the rank
 * has left them, their nearest end stands for it.
 */
export function limitsOfRank(parts: readonly CellValues[], rank: number, limits: Limits | null): Limits | null {
  const ranges = parts.flatMap((part) => part.ranges)
  const left = rank - parts.reduce((sum, { below }) => sum + below, 0)
  if (limits && left < 0) return { least: limits.least, most: limits.least }
  if (limits && left >= ranges.reduce((sum, { count }) => sum + count, 0))
    return { least: limits.most, most: limits.most }
  const least = valueAt(ranges, left, ({ least }) => least)
  const most = valueAt(ranges, left, ({ most }) => most)
  return least && most && { least, most }
}

function valueAt(
  ranges: readonly ValueRange[],
  rank: number,
  endOf: (range: ValueRange) => NumericValue,
): NumericValue | null {
  let left = rank
  for (const range of ranges.toSorted((a, b) => compareNumeric(endOf(a), endOf(b)))) {
    if (left < range.count) return endOf(range)
    left -= range.count
  }
  return null
}
