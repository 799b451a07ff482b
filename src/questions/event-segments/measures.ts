import { decimalOf } from '../../base/decimal.ts'
import { WHOLE } from '../../columns/selection/share.ts'
import { createGroupRanking, type GroupValues } from '../engine/groups.ts'
import type { Asking } from '../engine/report.ts'
import { askInShares } from '../engine/shares.ts'
import {
  AMOUNT_FIGURES,
  type AmountMeasure,
  type Amounts,
  amountsReport,
  hasAny,
  numericUsersQuery,
} from './amounts.ts'
import type { Counts } from './counts.ts'
import { countDistinct, distinctValuesReport } from './distinct-values.ts'
import { eventSegmentsReport } from './event-segments.ts'
import { type CellsQuery, divideCells, type GroupCells, type MeasureQuery, spansOf } from './measure-query.ts'
import { figureOf, findLargestQuantiles, findQuantiles, type QuantileMeasure, quantilesReport } from './quantiles.ts'
import { type Quotient, toNumber, wholeOf } from './quotient.ts'

/** A figure, exactly; and how many events have another value than a number. */
interface Measured {
  readonly figure: Quotient | null
  readonly notNumeric: number
}

/** What is measured in each interval of a period, and in all of it. */
interface MeasuredPeriod {
  readonly intervals: readonly (Quotient | null)[]
  readonly whole: Quotient | null
}

/** What is measured of a group. */
export interface MeasuredGroup {
  readonly values: GroupValues
  readonly now: MeasuredPeriod
  readonly before: MeasuredPeriod
  readonly notNumeric: number
}

/** How cells are measured. Null if the groups of a share are too many for one answer. */
type MeasureCells = (query: CellsQuery, ask: Asking['ask']) => Promise<readonly GroupCells<Measured>[] | null>

/** Measures a parameter as a whole, or by the largest groups. */
export async function askForMeasure(query: MeasureQuery, { ask, objects }: Asking): Promise<MeasuredGroup[]> {
  const ranking = createGroupRanking<MeasuredGroup>()
  for (const { values, cells } of await measureGroups(query, { ask, objects })) {
    const { now, before } = divideCells(query, cells)
    ranking.offer(rankOf(now.whole.figure), () => {
      return { values, now: figuresOf(now), before: figuresOf(before), notNumeric: now.whole.notNumeric }
    })
  }
  return ranking.items()
}

/** The cells of the only group, of all where they are few, else of the largest. */
async function measureGroups(query: MeasureQuery, { ask, objects }: Asking): Promise<readonly GroupCells<Measured>[]> {
  const measure = measuring(query, objects)
  const cellsQuery = { ...query, spans: 'all', share: WHOLE } as const
  if (query.groupBy.length === 0) return (await measure({ ...cellsQuery, groups: [[]] }, ask)) ?? []
  const few = isSimple(query) ? await measure({ ...cellsQuery, groups: null }, ask) : null
  if (few) return few
  const groups = await findLargest(query, measure, ask)
  return groups.length === 0 ? [] : ((await measure({ ...cellsQuery, groups }, ask)) ?? [])
}

/** Whether one answer says all of a cell. */
function isSimple({ measure }: MeasureQuery): boolean {
  return measure === 'sum' || measure === 'avg' || measure === 'min' || measure === 'max'
}

function figuresOf({ intervals, whole }: ReturnType<typeof divideCells<Measured>>['now']): MeasuredPeriod {
  return { intervals: intervals.map(({ figure }) => figure), whole: whole.figure }
}

/** Groups without a figure come last. */
function rankOf(figure: Quotient | null): number {
  return toNumber(figure) ?? Number.NEGATIVE_INFINITY
}

async function findLargest(query: MeasureQuery, measure: MeasureCells, ask: Asking['ask']): Promise<GroupValues[]> {
  const ranking = createGroupRanking<GroupCells<Measured>>()
  await askInShares(async (share) => {
    const groups = await measure({ ...query, spans: 'whole', groups: null, share }, ask)
    for (const group of groups ?? []) ranking.offer(rankOf(group.cells[0]?.figure ?? null), () => group)
    return groups && true
  })
  return ranking.items().map(({ values }) => values)
}

function measuring({ measure }: MeasureQuery, objects: number): MeasureCells {
  if (measure === 'distinct') return (query, ask) => measureDistinct({ ...query, isNamed: objects > 1 }, ask)
  if (measure === 'median' || measure === 'p90') return (query, ask) => measureQuantiles({ ...query, measure }, ask)
  return (query, ask) => measureAmounts({ ...query, measure }, ask)
}

async function measureAmounts(query: CellsQuery & { readonly measure: AmountMeasure }, ask: Asking['ask']) {
  const { measure, groups } = query
  const isPerUser = measure === 'per_user' && groups !== null
  const [amounts, counted] = await Promise.all([
    ask(amountsReport, query),
    isPerUser ? ask(eventSegmentsReport, numericUsersQuery(query, groups)) : null,
  ])
  // Where the largest are looked for, and where they are told, groups have something in the period.
  const areFew = query.spans === 'all' && groups === null
  const inPeriod = amounts?.filter(({ cells }) => !areFew || hasAny(divideCells(query, cells).now.whole))
  const users = new Map(
    counted?.groups.map(({ values, now, before }) => {
      return [keyOf(values), [...now.intervals, now.whole, ...before.intervals, before.whole]]
    }),
  )
  return (
    inPeriod?.map(({ values, cells }) => ({ values, cells: cells.map(measured(users.get(keyOf(values)))) })) ?? null
  )

  function measured(users: readonly Counts[] | undefined) {
    return (cell: Amounts, span: number): Measured => {
      const whole = { ...cell, users: isPerUser ? (users?.[span]?.users ?? 0) : cell.users }
      return { figure: AMOUNT_FIGURES[measure](whole), notNumeric: cell.notNumeric }
    }
  }
}

async function measureQuantiles(query: CellsQuery & { readonly measure: QuantileMeasure }, ask: Asking['ask']) {
  const { measure } = query
  const groups = await ask(quantilesReport, { ...query, limits: null })
  const find = query.groups ? findQuantiles : findLargestQuantiles
  const found = groups && (await find(query, groups, (next) => ask(quantilesReport, next)))
  if (!found) return null
  return found.map(({ values, cells }) => ({
    values,
    cells: cells.map((cell): Measured => ({ figure: figureOf(cell, measure), notNumeric: cell.notNumeric })),
  }))
}

/** Every value counts, numeric or not. */
async function measureDistinct(query: CellsQuery & { readonly isNamed: boolean }, ask: Asking['ask']) {
  const counted = await countDistinct(query, (asked) => ask(distinctValuesReport, asked))
  const counts = new Map(counted?.map(({ values, cells }) => [keyOf(values), cells]))
  const groups = query.groups ?? counted?.map(({ values }) => values)
  return (
    counted &&
    (groups ?? []).map((values) => {
      const cells = counts.get(keyOf(values)) ?? Array.from({ length: spansOf(query) }, () => 0)
      return { values, cells: cells.map((count): Measured => ({ figure: wholeOf(toDecimal(count)), notNumeric: 0 })) }
    })
  )
}

function toDecimal(count: number) {
  return decimalOf(BigInt(count))
}

function keyOf(values: GroupValues): string {
  return JSON.stringify(values)
}
