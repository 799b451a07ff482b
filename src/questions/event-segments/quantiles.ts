import { add, type Decimal, decimalOf, multiply } from '../../base/decimal.ts'
import type { Columns, Segment } from '../../columns/columns.ts'
import { MAX_GROUPS } from '../../columns/selection/filter.ts'
import { numbersOf } from '../../columns/selection/numbers.ts'
import { WHOLE } from '../../columns/selection/share.ts'
import type { GroupValues } from '../engine/groups.ts'
import { BOUNDS, type Bounds, type Report } from '../engine/report.ts'
import type { Measure } from './contract.ts'
import { Histogram } from './histogram.ts'
import { KindCounts } from './kind-counts.ts'
import {
  type CellsQuery,
  collectGroups,
  type GroupCells,
  groupingFor,
  mergeGroups,
  spansOf,
  takeSlices,
} from './measure-query.ts'
import { perEach, type Quotient, toNumber } from './quotient.ts'
import {
  type CellValues,
  compareNumeric,
  eventsIn,
  limitsOfRank,
  type NumericLimits,
  RangesOfCells,
  toDecimal,
  toFlatRanges,
} from './value-ranges.ts'
import { ValuesWithin } from './values-within.ts'

// Quantiles do not add up. Each object says between which values they must lie, and is asked again for those in between, until it is
// known which ones they are: at once unless there are very many values.

export type QuantileMeasure = Extract<Measure, 'median' | 'p90'>

const TENTHS: Readonly<Record<QuantileMeasure, number>> = { median: 5, p90: 9 }

/** A cell's number of numeric values, and the limits of the two between which the quantile lies: of the same one if it is that. */
export interface CellQuantile {
  readonly count: number
  readonly notNumeric: number
  /** Null without numeric values. */
  readonly lower: NumericLimits | null
  readonly upper: NumericLimits | null
}

interface CellLimits extends NumericLimits {
  /** How many values all objects had in the cell when it was first asked about. */
  readonly count: number
}

export interface QuantilesQuery extends CellsQuery {
  readonly measure: QuantileMeasure
  /** By cell, those of one span after those of another. Null for cells that are known; null for all of them at first. */
  readonly limits: readonly (CellLimits | null)[] | null
}

type MaybeValues = readonly GroupCells<CellValues>[] | null

export const quantilesReport: Report<QuantilesQuery, MaybeValues, readonly GroupCells<CellQuantile>[] | null> = {
  name: 'quantiles of a parameter',
  isLarge: () => true,
  part: collectValues,
  result(parts, query) {
    const single = parts.map(
      (groups) =>
        groups?.map(({ values, cells }) => ({ values, cells: cells.map((cell): readonly CellValues[] => [cell]) })) ??
        null,
    )
    const groups = mergeGroups(single, (a, b) => [...a, ...b])
    return (
      groups?.map(({ values, cells }, group) => ({
        values,
        cells: cells.map((cell, span) =>
          quantileOf(cell, query.measure, query.limits?.[span * groups.length + group] ?? null),
        ),
      })) ?? null
    )
  },
}

function* collectValues(columns: Columns, query: QuantilesQuery, bounds = BOUNDS): Generator<void, MaybeValues> {
  const grouping = groupingFor(columns, query, bounds)
  const kinds = new KindCounts()
  const values = query.limits ? valuesWithin(query.limits, bounds) : allValues(bounds)
  const read = (segment: Segment) => numbersOf(segment, query.of)
  let isOverfull = false
  yield* takeSlices({ columns, query, grouping, read }, (rows, numbers, firstCells) => {
    const groups = grouping?.count ?? 1
    isOverfull ||= query.groups === null && groups > 1 && groups * MIN_RANGES > bounds.values
    if (isOverfull) return
    const cells = { firstCells, groups }
    // In later rounds it is known.
    if (!query.limits && numbers.count < numbers.kinds.length - 1) kinds.add(rows, numbers, cells)
    values.add(rows, numbers, cells)
  })
  if (isOverfull) return null
  const count = query.groups ? spansOf(query) * query.groups.length : (grouping?.count ?? 1)
  const valuesOf = values.of(count)
  return yield* collectGroups<CellValues>({
    query,
    grouping,
    bounds,
    cellOf: (cell) => ({ notNumeric: kinds.of(cell).notNumeric, ...valuesOf(cell) }),
    hasAny: ({ ranges, notNumeric }) => ranges.counts.length + notNumeric > 0,
  })
}

/** A cell has room for so many ranges at least. */
const MIN_RANGES = 4
/** More make answers longer, and the next round hardly shorter. */
const MAX_RANGES = 1_024
/** In memory there are so many counts for each range of an answer. */
const COUNTS_A_RANGE = 16

/** At first: where about all values lie. */
function allValues(bounds: Bounds) {
  const histogram = new Histogram(COUNTS_A_RANGE * bounds.values)
  return {
    add: (...rows: Parameters<Histogram['add']>) => histogram.add(...rows),
    of(cells: number) {
      histogram.addUp()
      const max = Math.min(MAX_RANGES, Math.max(MIN_RANGES, Math.floor(bounds.values / cells)))
      return (cell: number) => ({ below: 0, ranges: histogram.rangesOf(cell, max) })
    },
  }
}

/** Later: the values within limits. */
function valuesWithin(limits: readonly (NumericLimits | null)[], bounds: Bounds) {
  const ranges = new RangesOfCells(bounds.values)
  const within = new ValuesWithin(limits, ranges)
  return {
    add: (...rows: Parameters<ValuesWithin['add']>) => within.add(...rows),
    of: () => (cell: number) => ({ below: within.belowOf(cell), ranges: toFlatRanges(ranges.of(cell)) }),
  }
}

function quantileOf(parts: readonly CellValues[], measure: QuantileMeasure, limits: CellLimits | null): CellQuantile {
  const inRanges = parts.reduce((sum, { ranges }) => sum + eventsIn(ranges), 0)
  const count = limits?.count ?? inRanges
  const { rank, tenths } = positionOf(measure, count)
  return {
    count,
    notNumeric: parts.reduce((sum, { notNumeric }) => sum + notNumeric, 0),
    lower: limitsOfRank(parts, rank, limits),
    upper: limitsOfRank(parts, tenths === 0 ? rank : rank + 1, limits),
  }
}

/** Linear interpolation between the closest ranks, which are counted from 0: so many tenths of the way from this one to the next. */
function positionOf(measure: QuantileMeasure, count: number): { readonly rank: number; readonly tenths: number } {
  const position = TENTHS[measure] * Math.max(0, count - 1)
  return { rank: Math.floor(position / 10), tenths: position % 10 }
}

/** The least (or the greatest) that a quantile can be: the quantile itself once it is found. */
export function figureOf(
  quantile: CellQuantile,
  measure: QuantileMeasure,
  end: keyof NumericLimits = 'least',
): Quotient | null {
  const { count, lower, upper } = quantile
  if (!lower || !upper) return null
  const { tenths } = positionOf(measure, count)
  return perEach(add(times(toDecimal(lower[end]), 10 - tenths), times(toDecimal(upper[end]), tenths)), 10)
}

function times(decimal: Decimal, factor: number): Decimal {
  return multiply(decimal, decimalOf(BigInt(factor)))
}

function isFound({ lower, upper }: CellQuantile): boolean {
  return [lower, upper].every((limits) => !limits || compareNumeric(limits.least, limits.most) === 0)
}

type AskQuantiles = (query: QuantilesQuery) => Promise<readonly GroupCells<CellQuantile>[] | null>

/** Asks again about the cells of these groups that are not found yet, until all are. */
export async function findQuantiles(
  query: CellsQuery & { readonly measure: QuantileMeasure },
  found: readonly GroupCells<CellQuantile>[],
  ask: AskQuantiles,
): Promise<readonly GroupCells<CellQuantile>[]> {
  if (found.every(({ cells }) => cells.every(isFound))) return found
  const groups = found.map(({ values }): GroupValues => values)
  const spans = found[0]?.cells.map((_, span) => span) ?? []
  const limits = spans.flatMap((span) => found.map(({ cells }) => limitsOf(cells[span] as CellQuantile)))
  const next = (await ask({ ...query, groups, share: WHOLE, limits })) ?? []
  const closer = found.map(({ values, cells }, group) => ({
    values,
    cells: cells.map((cell, span) =>
      isFound(cell) ? cell : { ...next[group]?.cells[span], notNumeric: cell.notNumeric },
    ),
  })) as GroupCells<CellQuantile>[]
  return findQuantiles(query, closer, ask)
}

/** The range that has both values. */
function limitsOf(quantile: CellQuantile): CellLimits | null {
  const { count, lower, upper } = quantile
  return isFound(quantile) || !lower || !upper ? null : { least: lower.least, most: upper.most, count }
}

/** Asked about so many groups at once: their values travel to every object. */
const GROUPS_A_ROUND = 256

/** The groups that may be among the largest, in a question for whole periods: with their quantiles where these decide it. */
export async function findLargestQuantiles(
  query: CellsQuery & { readonly measure: QuantileMeasure },
  groups: readonly GroupCells<CellQuantile>[],
  ask: AskQuantiles,
): Promise<readonly GroupCells<CellQuantile>[]> {
  const endOf = ({ cells: [cell] }: GroupCells<CellQuantile>, end: keyof NumericLimits) =>
    (cell && toNumber(figureOf(cell, query.measure, end))) ?? Number.NEGATIVE_INFINITY
  // All of them are among the largest, unless there are others in other shares.
  if (query.share.of === 1 && groups.length <= MAX_GROUPS) return groups
  const least = groups.map((group) => endOf(group, 'least')).sort((a, b) => b - a)
  const enough = least[MAX_GROUPS - 1] ?? Number.NEGATIVE_INFINITY
  const [known, open] = [[] as GroupCells<CellQuantile>[], [] as GroupCells<CellQuantile>[]]
  for (const group of groups) {
    if (endOf(group, 'most') >= enough) (group.cells.every(isFound) ? known : open).push(group)
  }
  for (let from = 0; from < open.length; from += GROUPS_A_ROUND) {
    known.push(...(await findQuantiles(query, open.slice(from, from + GROUPS_A_ROUND), ask)))
  }
  return known
}
