import { firstIndex } from '../../columns/flat-arrays.ts'
import { sumOf } from './shares.ts'

// Medians and other quantiles do not add up. Each object says how its values are spread over ranges; from this follows between which
// values the one of a rank over all objects must lie. Objects are asked again about the values in between until a single one is left.

/** The least and the greatest value that a value can be. */
export interface Limits<Value> {
  readonly least: Value
  readonly most: Value
}

/** How the values of one object are spread within the limits that it was asked about. */
export interface Spread<Value> {
  /** The number of values before the ranges. */
  readonly below: number
  /** The number of ranges. They come in order: no end is less than the same end of an earlier range. */
  readonly length: number
  /** The least (0) or the greatest (1) value that a range can have. */
  endAt(index: number, end: End): Value
  /** The number of values in the ranges before an index; at `length`, in all of them. */
  countBefore(index: number): number
}

type End = 0 | 1

/** Compares two values as `sort` needs it. */
export type Order<Value> = (a: Value, b: Value) => number

export const ascending: Order<number> = (a, b) => a - b

/** The limits of the two values between which a quantile is. */
export interface Quantile<Value> {
  /** The number of values of all objects. */
  readonly count: number
  /** Null without values. */
  readonly lower: Limits<Value> | null
  readonly upper: Limits<Value> | null
  /** Whether both values are known: the limits of each are equal. */
  readonly isFound: boolean
}

/** The quantile at which half of the values are less. */
export const MEDIAN = 5

/**
 * The position of a quantile among `count` sorted values, by linear interpolation: a number of tenths of the way from a rank, which begins
 * at 0, to the next.
 */
export function positionOf(quantile: number, count: number): { readonly rank: number; readonly tenths: number } {
  const position = quantile * Math.max(0, count - 1)
  return { rank: Math.floor(position / 10), tenths: position % 10 }
}

/** The ranks of the values between which a quantile is: equal if it is one of the values. */
export function ranksOf(quantile: number, count: number): [lower: number, upper: number] {
  const { rank, tenths } = positionOf(quantile, count)
  return [rank, tenths === 0 ? rank : rank + 1]
}

interface Sought<Value> {
  /** In tenths: 5 is the median. */
  readonly quantile: number
  readonly count: number
  readonly order: Order<Value>
  /** What objects were asked about; absent for all values. */
  readonly limits?: Limits<Value> | null | undefined
}

/** Limits a quantile by how the values of all objects are spread. */
export function quantileOf<Value>(spreads: readonly Spread<Value>[], sought: Sought<Value>): Quantile<Value> {
  const { quantile, count, order } = sought
  if (count === 0) return { count, lower: null, upper: null, isFound: true }
  const ranks = ranksOf(quantile, count)
  const lower = limitsOfRank(spreads, ranks[0], sought)
  const upper = ranks[0] === ranks[1] ? lower : limitsOfRank(spreads, ranks[1], sought)
  const isFound = [lower, upper].every((limits) => !limits || order(limits.least, limits.most) === 0)
  return { count, lower, upper, isFound }
}

/**
 * If every value were at the least end of its range, the one of this rank could be no less; if every one were at the other end, no
 * greater. Where the rank has left the limits, because events arrived since they were found, their nearest end stands for the value:
 * limits never become wider.
 */
function limitsOfRank<Value>(
  spreads: readonly Spread<Value>[],
  rank: number,
  { order, limits }: Sought<Value>,
): Limits<Value> | null {
  const left = rank - sumOf(spreads, ({ below }) => below)
  if (limits && left < 0) return { least: limits.least, most: limits.least }
  if (limits && left >= sumOf(spreads, (own) => own.countBefore(own.length)))
    return { least: limits.most, most: limits.most }
  const least = valueAt(spreads, left, { end: 0, order })
  const most = valueAt(spreads, left, { end: 1, order })
  return least === null || most === null ? null : { least, most }
}

interface EndInOrder<Value> {
  readonly end: End
  readonly order: Order<Value>
}

/** The value of a rank if every one were at this end of its range: the least end up to which more values than that lie. */
function valueAt<Value>(spreads: readonly Spread<Value>[], rank: number, at: EndInOrder<Value>): Value | null {
  const [only] = spreads
  if (only && spreads.length === 1) {
    const index = firstIndex(only.length, (index) => only.countBefore(index + 1) > rank)
    return index === only.length ? null : only.endAt(index, at.end)
  }
  let found: Value | null = null
  for (const own of spreads) {
    const least = found
    const isLess = (index: number) => least === null || at.order(own.endAt(index, at.end), least) < 0
    const length = firstIndex(own.length, (index) => !isLess(index))
    // Most objects have no lesser one, which their last end before it shows.
    if (length === 0 || countUpTo(spreads, own, length - 1, at) <= rank) continue
    found = own.endAt(
      firstIndex(length, (index) => countUpTo(spreads, own, index, at) > rank),
      at.end,
    )
  }
  return found
}

/** The number of values up to the end of a range, including the range. */
function countUpTo<Value>(
  spreads: readonly Spread<Value>[],
  own: Spread<Value>,
  index: number,
  { end, order }: EndInOrder<Value>,
): number {
  let count = own.countBefore(index + 1)
  const value = own.endAt(index, end)
  for (const other of spreads) {
    if (other === own) continue
    count += other.countBefore(firstIndex(other.length, (index) => order(other.endAt(index, end), value) > 0))
  }
  return count
}

/** The median if it is found, else the middle of what it can be. */
export function medianOf({ lower, upper }: Quantile<number>): number | null {
  return lower && upper && (lower.least + upper.most) / 2
}

/** The limits of both values of a quantile, and the number of values among which it was first looked for. */
export interface OpenLimits<Value> extends Limits<Value> {
  readonly count: number
}

/** Asks all objects once more. Quantiles that are found have no limits: nothing needs to be counted for them. */
type AskWithin<Value> = (limits: readonly (OpenLimits<Value> | null)[]) => Promise<readonly Quantile<Value>[]>

/** Asks again about the quantiles of a first round that are not found yet, until all are. */
export async function findQuantiles<Value>(
  first: readonly Quantile<Value>[],
  askWithin: AskWithin<Value>,
  mostRounds = Number.POSITIVE_INFINITY,
): Promise<readonly Quantile<Value>[]> {
  let found = first
  for (let round = 1; round < mostRounds && found.some(({ isFound }) => !isFound); round += 1) {
    const closer = await askWithin(found.map(openLimitsOf))
    // Since the first round, an object may have lost all values of a quantile.
    found = found.map((quantile, index) => (!quantile.isFound && closer[index]?.lower ? closer[index] : quantile))
  }
  return found
}

function openLimitsOf<Value>({ isFound, count, lower, upper }: Quantile<Value>): OpenLimits<Value> | null {
  return isFound || !lower || !upper ? null : { least: lower.least, most: upper.most, count }
}
