import { add, compareDecimals, type Decimal, decimalOf, multiply } from '../../base/decimal.ts'
import type { Columns } from '../../columns/columns.ts'
import { firstIndex } from '../../columns/flat-arrays.ts'
import { MAX_GROUPS } from '../../columns/selection/filter.ts'
import { WHOLE } from '../../columns/selection/share.ts'
import type { GroupValues } from '../groups.ts'
import { BOUNDS, type Report } from '../question.ts'
import type { Measure } from './contract.ts'
import {
  type CellsQuery,
  collectGroups,
  firstCellsOf,
  type GroupCells,
  groupingFor,
  isAsked,
  mergeGroups,
  takeSlices,
} from './measure-query.ts'
import { perEach, type Quotient, toNumber } from './quotient.ts'
import { countTallies, type Tallies } from './tallies.ts'
import { type CellValues, type Limits, limitsOfRank, RangesOfCells, type ValueRange } from './value-ranges.ts'
import {
  compareNumeric,
  FIRST_NUMERIC,
  NOT_NUMERIC,
  type NumericValue,
  type NumericValues,
  readNumeric,
} from './value-tables.ts'

// Quantiles do not add up. Each object says between which values they must lie, and is asked again for those in between, until it is
// known which ones they are: at once unless there are very many values.

export type QuantileMeasure = Extract<Measure, 'median' | 'p90'>

const TENTHS: Readonly<Record<QuantileMeasure, number>> = { median: 5, p90: 9 }

/** A cell's number of numeric values, and the limits of the two between which the quantile lies: of the same one if it is that. */
export interface Quantile {
  readonly count: number
  readonly notNumeric: number
  /** Null without numeric values. */
  readonly lower: Limits | null
  readonly upper: Limits | null
}

interface CellLimits extends Limits {
  /** How many values all objects had in the cell when it was first asked about. */
  readonly count: number
}

export interface QuantilesQuery extends CellsQuery {
  readonly measure: QuantileMeasure
  /** By cell, those of one span after those of another. Null for cells that are known; null for all of them at first. */
  readonly limits: readonly (CellLimits | null)[] | null
}

type MaybeValues = readonly GroupCells<CellValues>[] | null

export const quantilesReport: Report<QuantilesQuery, MaybeValues, readonly GroupCells<Quantile>[] | null> = {
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
  const ranges = new RangesOfCells(bounds.values)
  const [notNumeric, below]: [number[], number[]] = [[], []]
  const read = readNumeric(query.of, { isOrdered: true })

  function takeGroup(cell: number, { notNumeric: others, values }: GroupTallies): void {
    if (others > 0) notNumeric[cell] = (notNumeric[cell] ?? 0) + others
    if (query.limits === null) {
      ranges.add(cell, values)
      return
    }
    const limits = query.limits[cell]
    if (!limits) return
    const within = splitAt(values, limits)
    below[cell] = (below[cell] ?? 0) + within.below
    if (within.values.length > 0) ranges.add(cell, within.values)
  }

  const isAskedFor = isAsked(query, grouping)
  const count = countTallies()
  yield* takeSlices({ columns, query, grouping, read }, (rows, values, span) => {
    if (query.groups === null && ranges.isOverfull) return
    const tallies = count(rows, values, grouping?.count ?? 1)
    for (const group of groupsOf(tallies, values)) {
      if (!isAskedFor(group.group)) continue
      for (const firstCell of firstCellsOf(query, span)) takeGroup(firstCell + group.group, group)
    }
  })
  if (query.groups === null && ranges.isOverfull) return null
  return collectGroups<CellValues>({
    query,
    grouping,
    bounds,
    cellOf: (cell) => ({ notNumeric: notNumeric[cell] ?? 0, below: below[cell] ?? 0, ranges: ranges.of(cell) }),
    hasAny: ({ ranges, notNumeric }) => ranges.length + notNumeric > 0,
  })
}

/** The values within the limits, and how many are less. */
function splitAt(values: readonly ValueRange[], { least, most }: Limits) {
  const from = firstIndex(values.length, (index) => compareNumeric((values[index] as ValueRange).least, least) >= 0)
  const to = firstIndex(values.length, (index) => compareNumeric((values[index] as ValueRange).least, most) > 0)
  return { below: values.slice(0, from).reduce((sum, { count }) => sum + count, 0), values: values.slice(from, to) }
}

interface GroupTallies {
  readonly group: number
  readonly notNumeric: number
  /** In order. */
  readonly values: ValueRange[]
}

function* groupsOf({ length, groups, ranks, counts }: Tallies, { numbers }: NumericValues): Generator<GroupTallies> {
  for (let index = 0; index < length; ) {
    const group = groups[index] as number
    const values: ValueRange[] = []
    let notNumeric = 0
    for (; index < length && groups[index] === group; index++) {
      const rank = ranks[index] as number
      const count = counts[index] as number
      if (rank === NOT_NUMERIC) {
        notNumeric = count
        continue
      }
      const value = numbers[rank - FIRST_NUMERIC] as NumericValue
      values.push({ least: value, most: value, count })
    }
    yield { group, notNumeric, values }
  }
}

function quantileOf(parts: readonly CellValues[], measure: QuantileMeasure, limits: CellLimits | null): Quantile {
  const inRanges = parts.flatMap(({ ranges }) => ranges).reduce((sum, { count }) => sum + count, 0)
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
export function figureOf(quantile: Quantile, measure: QuantileMeasure, end: keyof Limits = 'least'): Quotient | null {
  const { count, lower, upper } = quantile
  if (!lower || !upper) return null
  const { tenths } = positionOf(measure, count)
  return perEach(add(times(lower[end], 10 - tenths), times(upper[end], tenths)), 10)
}

function times(decimal: Decimal, factor: number): Decimal {
  return multiply(decimal, decimalOf(BigInt(factor)))
}

function isFound({ lower, upper }: Quantile): boolean {
  return [lower, upper].every((limits) => !limits || compareDecimals(limits.least, limits.most) === 0)
}

type AskQuantiles = (query: QuantilesQuery) => Promise<readonly GroupCells<Quantile>[] | null>

/** Asks again about the cells of these groups that are not found yet, until all are. */
export async function findQuantiles(
  query: CellsQuery & { readonly measure: QuantileMeasure },
  found: readonly GroupCells<Quantile>[],
  ask: AskQuantiles,
): Promise<readonly GroupCells<Quantile>[]> {
  if (found.every(({ cells }) => cells.every(isFound))) return found
  const groups = found.map(({ values }): GroupValues => values)
  const spans = found[0]?.cells.map((_, span) => span) ?? []
  const limits = spans.flatMap((span) => found.map(({ cells }) => limitsOf(cells[span] as Quantile)))
  const next = (await ask({ ...query, groups, share: WHOLE, limits })) ?? []
  const closer = found.map(({ values, cells }, group) => ({
    values,
    cells: cells.map((cell, span) =>
      isFound(cell) ? cell : { ...next[group]?.cells[span], notNumeric: cell.notNumeric },
    ),
  })) as GroupCells<Quantile>[]
  return findQuantiles(query, closer, ask)
}

/** The range that has both values. */
function limitsOf(quantile: Quantile): CellLimits | null {
  const { count, lower, upper } = quantile
  return isFound(quantile) || !lower || !upper ? null : { least: lower.least, most: upper.most, count }
}

/** Asked about so many groups at once: their values travel to every object. */
const GROUPS_A_ROUND = 256

/** The quantiles of the groups that may be among the largest, in a question for whole periods. */
export async function findLargestQuantiles(
  query: CellsQuery & { readonly measure: QuantileMeasure },
  groups: readonly GroupCells<Quantile>[],
  ask: AskQuantiles,
): Promise<readonly GroupCells<Quantile>[]> {
  const endOf = ({ cells: [cell] }: GroupCells<Quantile>, end: keyof Limits) =>
    (cell && toNumber(figureOf(cell, query.measure, end))) ?? Number.NEGATIVE_INFINITY
  const least = groups.map((group) => endOf(group, 'least')).sort((a, b) => b - a)
  const enough = least[MAX_GROUPS - 1] ?? Number.NEGATIVE_INFINITY
  const [known, open] = [[] as GroupCells<Quantile>[], [] as GroupCells<Quantile>[]]
  for (const group of groups) {
    if (endOf(group, 'most') >= enough) (group.cells.every(isFound) ? known : open).push(group)
  }
  for (let from = 0; from < open.length; from += GROUPS_A_ROUND) {
    known.push(...(await findQuantiles(query, open.slice(from, from + GROUPS_A_ROUND), ask)))
  }
  return known
}
