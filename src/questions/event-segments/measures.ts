import { decimalOf, subtract } from '../../base/decimal.ts'
import { WHOLE } from '../../columns/selection/share.ts'
import {
  createGroupRanking,
  type GroupValues,
  mergeRanked,
  OTHER,
  type RankedGroups,
  rankGroups,
} from '../engine/groups.ts'
import { type Quotient, toNumber, wholeOf } from '../engine/quotient.ts'
import type { Asking } from '../engine/report.ts'
import { askInShares } from '../engine/shares.ts'
import { AMOUNT_FIGURES, type AmountMeasure, amountsReport, hasAny } from './amounts.ts'
import { countDistinct, distinctValuesReport } from './distinct-values.ts'
import { type CellsQuery, divideCells, type GroupCells, type MeasureQuery } from './measure-query.ts'
import { figureOf, findCells, findLargestQuantiles, type QuantileMeasure, quantilesReport } from './quantiles.ts'

/** An exact figure, and the number of events whose value is not a number. */
interface Measured {
  readonly figure: Quotient | null
  readonly notNumeric: number
}

/** Figures of each interval of a period, and of the whole period. */
interface MeasuredPeriod {
  readonly intervals: readonly (Quotient | null)[]
  readonly whole: Quotient | null
}

/** The figures of a group. */
export interface MeasuredGroup {
  readonly values: GroupValues
  readonly now: MeasuredPeriod
  readonly before: MeasuredPeriod
  readonly notNumeric: number
}

/** Measures cells. Null if the groups of a share are too many for one answer. */
type MeasureCells = (query: CellsQuery, ask: Asking['ask']) => Promise<MeasuredCells | null>

/** Candidates for the largest groups, and the number of all groups that have anything in the period. */
interface MeasuredCells {
  readonly groups: readonly GroupCells<Measured>[]
  readonly total: number
}

/** Measures a parameter as a whole, or by the largest groups. */
export async function askForMeasure(query: MeasureQuery, asking: Asking): Promise<RankedGroups<MeasuredGroup>> {
  const ranking = createGroupRanking<MeasuredGroup>()
  const { groups, total } = await measureGroups(query, asking)
  for (const { values, cells } of groups) {
    const { now, before } = divideCells(query, cells)
    ranking.offer(rankOf(now.whole.figure), () => {
      return { values, now: figuresOf(now), before: figuresOf(before), notNumeric: now.whole.notNumeric }
    })
  }
  return { groups: ranking.items(), total }
}

/** Asks for the sums of the groups beyond those of an answer. Other measures do not add up over groups. */
export async function askForOtherSums(
  query: MeasureQuery,
  groups: readonly MeasuredGroup[],
  asking: Asking,
): Promise<MeasuredGroup> {
  const { groups: all } = await askForMeasure({ ...query, groupBy: [] }, asking)
  return groups.reduce(
    (left, { now, before, notNumeric }): MeasuredGroup => ({
      values: [OTHER],
      now: without(left.now, now),
      before: without(left.before, before),
      notNumeric: left.notNumeric - notNumeric,
    }),
    all[0] as MeasuredGroup,
  )
}

/** Subtracts some sums from all. Sums are quotients with the divisor 1. */
function without(all: MeasuredPeriod, some: MeasuredPeriod): MeasuredPeriod {
  const less = (sum: Quotient | null, part: Quotient | null | undefined) =>
    sum && part ? wholeOf(subtract(sum.dividend, part.dividend)) : sum
  return {
    intervals: all.intervals.map((sum, index) => less(sum, some.intervals[index])),
    whole: less(all.whole, some.whole),
  }
}

/** Measures the only group, all groups if one answer holds them, or else the largest. */
async function measureGroups(query: MeasureQuery, { ask, objects }: Asking): Promise<MeasuredCells> {
  const measure = measuring(query, objects)
  const cellsQuery = { ...query, spans: 'all', share: WHOLE } as const
  if (query.groupBy.length === 0) return (await measure({ ...cellsQuery, groups: [[]] }, ask)) ?? NO_GROUPS
  const few = isSimple(query) ? await measure({ ...cellsQuery, groups: null }, ask) : null
  if (few) return few
  const { groups, total } = await findLargest(query, measure, ask)
  if (groups.length === 0) return NO_GROUPS
  return { ...((await measure({ ...cellsQuery, groups }, ask)) ?? NO_GROUPS), total }
}

const NO_GROUPS: MeasuredCells = { groups: [], total: 0 }

/** Whether one answer is enough to measure a cell. */
function isSimple({ measure }: MeasureQuery): boolean {
  return measure === 'sum' || measure === 'avg' || measure === 'min' || measure === 'max'
}

function figuresOf({ intervals, whole }: ReturnType<typeof divideCells<Measured>>['now']): MeasuredPeriod {
  return { intervals: intervals.map(({ figure }) => figure), whole: whole.figure }
}

/** The figure to rank a group by: groups without one come last. */
function rankOf(figure: Quotient | null): number {
  return toNumber(figure) ?? Number.NEGATIVE_INFINITY
}

async function findLargest(
  query: MeasureQuery,
  measure: MeasureCells,
  ask: Asking['ask'],
): Promise<RankedGroups<GroupValues>> {
  const figureOf = ({ cells: [cell] }: GroupCells<Measured>) => rankOf(cell?.figure ?? null)
  const shares = await askInShares(async (share) => {
    const found = await measure({ ...query, spans: 'whole', groups: null, share }, ask)
    return found && { groups: rankGroups(found.groups, figureOf).groups, total: found.total }
  })
  return mergeRanked(shares, figureOf)
}

function measuring({ measure }: MeasureQuery, objects: number): MeasureCells {
  if (measure === 'distinct') return (query, ask) => measureDistinct({ ...query, isNamed: objects > 1 }, ask)
  if (measure === 'median' || measure === 'p90') return (query, ask) => measureQuantiles({ ...query, measure }, ask)
  return (query, ask) => measureAmounts({ ...query, measure }, ask)
}

async function measureAmounts(query: CellsQuery & { readonly measure: AmountMeasure }, ask: Asking['ask']) {
  const amounts = await ask(amountsReport, query)
  if (!amounts) return null
  // When searching for the largest groups, or measuring them, all groups have something in the period.
  const areFew = query.spans === 'all' && query.groups === null
  const inPeriod = amounts.filter(({ cells }) => !areFew || hasAny(divideCells(query, cells).now.whole))
  const figureOf = AMOUNT_FIGURES[query.measure]
  return allOf(inPeriod, (cell) => ({ figure: figureOf(cell), notNumeric: cell.notNumeric }))
}

async function measureQuantiles(query: CellsQuery & { readonly measure: QuantileMeasure }, ask: Asking['ask']) {
  const { measure } = query
  const groups = await ask(quantilesReport, { ...query, limits: null })
  const find = query.groups ? findCells : findLargestQuantiles
  const found = groups && (await find(query, groups, (next) => ask(quantilesReport, next)))
  if (!found) return null
  const measured = allOf(found, (cell) => ({ figure: figureOf(cell, measure), notNumeric: cell.notNumeric }))
  return { ...measured, total: groups.length }
}

/** Counts distinct values, numeric or not. */
async function measureDistinct(query: CellsQuery & { readonly isNamed: boolean }, ask: Asking['ask']) {
  const counted = await countDistinct(query, (asked) => ask(distinctValuesReport, asked))
  return counted && allOf(counted, (count) => ({ figure: wholeOf(decimalOf(BigInt(count))), notNumeric: 0 }))
}

function allOf<Cell>(found: readonly GroupCells<Cell>[], toMeasured: (cell: Cell) => Measured): MeasuredCells {
  const groups = found.map(({ values, cells }) => ({ values, cells: cells.map(toMeasured) }))
  return { groups, total: groups.length }
}
