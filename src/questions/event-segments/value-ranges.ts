import { compareDecimals, type Decimal, decimalOfDouble } from '../../base/decimal.ts'
import { decimalAt, type ParamNumbers } from '../../columns/selection/numbers.ts'
import type { Limits, Spread } from '../engine/by-rank.ts'

/** A number by its nearest double; most comparisons need no more. */
export interface NumericValue {
  readonly near: number
  /** Null if it is the shortest decimal of that double. */
  readonly exact: Decimal | null
}

export function valueAt(numbers: ParamNumbers, code: number): NumericValue {
  return { near: numbers.near[code] as number, exact: numbers.isInexact ? decimalAt(numbers, code) : null }
}

export function toDecimal({ near, exact }: NumericValue): Decimal {
  return exact ?? decimalOfDouble(near)
}

export function compareNumeric(a: NumericValue, b: NumericValue): number {
  if (a.near !== b.near) return a.near - b.near
  return a.exact || b.exact ? compareDecimals(toDecimal(a), toDecimal(b)) : 0
}

// If a cell has more distinct values than fit, ranges stand for the values, each with the exact number of its events.

/** Values from one to another, both inclusive, and how many events have one of them. */
export interface ValueRange extends Limits<NumericValue> {
  readonly count: number
}

/** Two neighbouring values are in two ranges at most; the next round leaves the other ranges out. */
const MIN_RANGES = 4

/** The values of many cells, in at most `max` ranges altogether, or a few more if there are very many cells. */
export class RangesOfCells {
  readonly #max: number
  /** Half the most ranges that a cell may have. Ranges of a cell are in order and do not overlap. */
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
  // Sorting two lists that are in order takes no longer than merging them. A range stays before its least value.
  for (const next of [...ranges, ...values].sort((a, b) => compareNumeric(a.least, b.least))) {
    const last = merged.at(-1)
    if (!last || compareNumeric(last.most, next.least) < 0) merged.push(next)
    else merged[merged.length - 1] = { ...last, count: last.count + next.count }
  }
  return merged
}

/**
 * Joins neighbours until `room` ranges of about as many events are left; a very frequent value keeps a range of its
 * own. With fewer ranges, limits might not become narrower.
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

/** Ranges in order, as objects send them: the two ends of each range, and how many events it has. */
export interface FlatRanges {
  readonly ends: Float64Array
  readonly counts: Uint32Array
  /** Per index of an end: its exact decimal, if that is not the shortest one of its nearest double. */
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

/** What one object has of a cell. */
export interface CellValues {
  readonly notNumeric: number
  /** How many values are less than the limits. `ranges` has those within the limits, or all if there are none. */
  readonly below: number
  readonly ranges: FlatRanges
}

/** How the values of a cell are spread in one object. */
export function spreadOfRanges({ below, ranges: { ends, counts, exact } }: CellValues): Spread<NumericValue> {
  const before = [0]
  for (const count of counts) before.push((before.at(-1) as number) + count)
  return {
    below,
    length: counts.length,
    endAt: (index, end) => ({ near: ends[2 * index + end] as number, exact: exact.get(2 * index + end) ?? null }),
    countBefore: (index) => before[index] as number,
  }
}

/** The next double, or the one before. */
export function neighbourOf(number: number, direction: 1 | -1): number {
  if (number === 0) return direction * Number.MIN_VALUE
  const bits = new BigInt64Array(Float64Array.of(number).buffer)
  bits[0] = (bits[0] as bigint) + BigInt(number > 0 ? direction : -direction)
  return new Float64Array(bits.buffer)[0] as number
}
