import { add, type Decimal, decimalOf, multiply } from '../../base/decimal.ts'
import type { Columns } from '../../columns/columns.ts'
import { MAX_GROUPS } from '../../columns/selection/filter.ts'
import { numbersOf, type ParamNumbers } from '../../columns/selection/numbers.ts'
import { WHOLE } from '../../columns/selection/share.ts'
import {
  findQuantiles,
  type Limits,
  MEDIAN,
  type OpenLimits,
  positionOf,
  type Quantile,
  quantileOf,
} from '../engine/by-rank.ts'
import { perEach, type Quotient, toNumber } from '../engine/quotient.ts'
import { BOUNDS, type Bounds, type Report } from '../engine/report.ts'
import { sumOf } from '../engine/shares.ts'
import type { Measure } from './contract.ts'
import { Histogram } from './histogram.ts'
import { KindCounts } from './kind-counts.ts'
import { type CellsQuery, collectCells, type GroupCells, mergeGroups } from './measure-query.ts'
import {
  type CellValues,
  compareNumeric,
  type NumericValue,
  RangesOfCells,
  spreadOfRanges,
  toDecimal,
  toFlatRanges,
} from './value-ranges.ts'
import { ValuesWithin } from './values-within.ts'

export type QuantileMeasure = Extract<Measure, 'median' | 'p90'>

const TENTHS: Readonly<Record<QuantileMeasure, number>> = { median: MEDIAN, p90: 9 }

/** A quantile of a cell's numeric values, and the number of its other values. */
export interface CellQuantile extends Quantile<NumericValue> {
  readonly notNumeric: number
}

export interface QuantilesQuery extends CellsQuery {
  readonly measure: QuantileMeasure
  /** Limits per cell, span by span; null for cells whose quantile is known. Null as a whole in the first round. */
  readonly limits: readonly (OpenLimits<NumericValue> | null)[] | null
}

/** What each object has of a cell: one object says what it has itself. */
type ValuesOfObjects = readonly CellValues[]

type MaybeValues = readonly GroupCells<ValuesOfObjects>[] | null

export const quantilesReport: Report<QuantilesQuery, MaybeValues, readonly GroupCells<CellQuantile>[] | null> = {
  name: 'quantiles of a parameter',
  isLarge: () => true,
  part: collectValues,
  result(parts, { measure, limits }) {
    const groups = mergeGroups<ValuesOfObjects>(parts, (a, b) => [...a, ...b])
    const found = groups?.map(({ values, cells }, group) => ({
      values,
      cells: cells.map((cell, span) => quantileIn(cell, measure, limits?.[span * groups.length + group] ?? null)),
    }))
    return found ?? null
  },
}

function* collectValues(columns: Columns, query: QuantilesQuery, bounds = BOUNDS): Generator<void, MaybeValues> {
  const kinds = new KindCounts()
  const values = query.limits ? valuesWithin(query.limits, bounds) : allValues(bounds)
  return yield* collectCells<ParamNumbers, ValuesOfObjects>(
    { columns, query, bounds },
    {
      read: (segment) => numbersOf(segment, query.of),
      take(rows, numbers, cells) {
        if (query.groups === null && cells.groups > 1 && cells.groups * MIN_RANGES > bounds.values) return false
        // Later rounds know the number of other values already.
        if (!query.limits && numbers.count < numbers.kinds.length - 1) kinds.add(rows, numbers, cells)
        values.add(rows, numbers, cells)
        return true
      },
      cellsOf(count) {
        const valuesOf = values.of(count)
        return (cell) => [{ notNumeric: kinds.of(cell).notNumeric, ...valuesOf(cell) }]
      },
      hasAny: (own) => own.some(({ ranges, notNumeric }) => ranges.counts.length + notNumeric > 0),
    },
  )
}

/** A cell has room for at least this many ranges. */
const MIN_RANGES = 4
/** The most ranges per cell: more would lengthen answers, and hardly shorten the next round. */
const MAX_RANGES = 1_024
/** The number of counts in memory for each range of an answer. */
const COUNTS_A_RANGE = 16

/** Collects all values for the first round, in ranges. */
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

/** Collects the values within limits for later rounds. */
function valuesWithin(limits: readonly (Limits<NumericValue> | null)[], bounds: Bounds) {
  const ranges = new RangesOfCells(bounds.values)
  const within = new ValuesWithin(limits, ranges)
  return {
    add: (...rows: Parameters<ValuesWithin['add']>) => within.add(...rows),
    of: () => (cell: number) => ({ below: within.belowOf(cell), ranges: toFlatRanges(ranges.of(cell)) }),
  }
}

function quantileIn(
  parts: ValuesOfObjects,
  measure: QuantileMeasure,
  limits: OpenLimits<NumericValue> | null,
): CellQuantile {
  const spreads = parts.map(spreadOfRanges)
  const count = limits?.count ?? sumOf(spreads, (own) => own.countBefore(own.length))
  return {
    notNumeric: sumOf(parts, ({ notNumeric }) => notNumeric),
    ...quantileOf(spreads, { quantile: TENTHS[measure], count, order: compareNumeric, limits }),
  }
}

/** The least (or greatest) value that a quantile can have; the quantile itself once it is found. */
export function figureOf(
  quantile: CellQuantile,
  measure: QuantileMeasure,
  end: keyof Limits<unknown> = 'least',
): Quotient | null {
  const { count, lower, upper } = quantile
  if (!lower || !upper) return null
  const { tenths } = positionOf(TENTHS[measure], count)
  return perEach(add(times(toDecimal(lower[end]), 10 - tenths), times(toDecimal(upper[end]), tenths)), 10)
}

function times(decimal: Decimal, factor: number): Decimal {
  return multiply(decimal, decimalOf(BigInt(factor)))
}

type AskQuantiles = (query: QuantilesQuery) => Promise<readonly GroupCells<CellQuantile>[] | null>

/** Asks again about the cells of these groups that are not found yet, until all are. */
export async function findCells(
  query: CellsQuery & { readonly measure: QuantileMeasure },
  groups: readonly GroupCells<CellQuantile>[],
  ask: AskQuantiles,
): Promise<readonly GroupCells<CellQuantile>[]> {
  const asked = { ...query, groups: groups.map(({ values }) => values), share: WHOLE }
  const found = await findQuantiles(bySpan(groups), async (limits) => bySpan((await ask({ ...asked, limits })) ?? []))
  return groups.map(({ values, cells }, group) => ({
    values,
    cells: cells.map(({ notNumeric }, span) => {
      return { ...(found[span * groups.length + group] as Quantile<NumericValue>), notNumeric }
    }),
  }))
}

/** The cells of one span after those of another, as the limits of a query are. */
function bySpan(groups: readonly GroupCells<CellQuantile>[]): CellQuantile[] {
  return groups[0]?.cells.flatMap((_, span) => groups.map(({ cells }) => cells[span] as CellQuantile)) ?? []
}

/** The most groups in one request: their values travel to every object. */
const GROUPS_A_ROUND = 256

/** The groups that may be among the largest, in a question for whole periods: with their quantiles where these decide it. */
export async function findLargestQuantiles(
  query: CellsQuery & { readonly measure: QuantileMeasure },
  groups: readonly GroupCells<CellQuantile>[],
  ask: AskQuantiles,
): Promise<readonly GroupCells<CellQuantile>[]> {
  const endOf = ({ cells: [cell] }: GroupCells<CellQuantile>, end: keyof Limits<unknown>) =>
    (cell && toNumber(figureOf(cell, query.measure, end))) ?? Number.NEGATIVE_INFINITY
  // All of them are among the largest, unless there are others in other shares.
  if (query.share.of === 1 && groups.length <= MAX_GROUPS) return groups
  const least = groups.map((group) => endOf(group, 'least')).sort((a, b) => b - a)
  const enough = least[MAX_GROUPS - 1] ?? Number.NEGATIVE_INFINITY
  const [known, open] = [[] as GroupCells<CellQuantile>[], [] as GroupCells<CellQuantile>[]]
  for (const group of groups) {
    if (endOf(group, 'most') >= enough) (group.cells.every(({ isFound }) => isFound) ? known : open).push(group)
  }
  for (let from = 0; from < open.length; from += GROUPS_A_ROUND) {
    known.push(...(await findCells(query, open.slice(from, from + GROUPS_A_ROUND), ask)))
  }
  return known
}
