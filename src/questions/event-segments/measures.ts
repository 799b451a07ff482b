import { decimalOf } from '../../base/decimal.ts'
import { daysIn } from '../../base/time/period.ts'
import { WHOLE } from '../../columns/selection/share.ts'
import { ANY_EVENT } from '../event-name.ts'
import { createGroupRanking, type GroupValues, nameOf } from '../groups.ts'
import type { Asking } from '../question.ts'
import { askInShares } from '../shares.ts'
import { AMOUNT_FIGURES, type AmountMeasure, type Amounts, amountsReport, numericUsersQuery } from './amounts.ts'
import type { FigureSeries } from './contract.ts'
import type { Counts } from './counts.ts'
import { countDistinct, distinctValuesReport } from './distinct-values.ts'
import { eventSegmentsReport } from './event-segments.ts'
import { BEFORE, type CellsQuery, type GroupCells, type MeasureQuery, spansOf, WHOLE_PERIOD } from './measure-query.ts'
import { figureOf, findLargestQuantiles, findQuantiles, type QuantileMeasure, quantilesReport } from './quantiles.ts'
import { percentChange, type Quotient, roundedQuotient, toNumber, wholeOf } from './quotient.ts'

/** A figure, exactly; and how many events have another value than a number. */
interface Measured {
  readonly figure: Quotient | null
  readonly notNumeric: number
}

/** What is measured of a group on each day of the period, in all of it, and in all of the one before. */
export interface MeasuredGroup {
  readonly values: GroupValues
  readonly days: readonly (Quotient | null)[]
  readonly whole: Quotient | null
  readonly before: Quotient | null
  readonly notNumeric: number
}

/** How cells are measured. Null if the groups of a share are too many for one answer. */
type MeasureCells = (query: CellsQuery, ask: Asking['ask']) => Promise<readonly GroupCells<Measured>[] | null>

/** Measures a parameter as a whole, or by the largest groups. */
export async function askForMeasure(query: MeasureQuery, { ask, objects }: Asking): Promise<MeasuredGroup[]> {
  const measure = measuring(query, objects)
  const groups = query.groupBy.length === 0 ? [[]] : await findLargest(query, measure, ask)
  if (groups.length === 0) return []
  const ranking = createGroupRanking<MeasuredGroup>()
  const measured = await measure({ ...query, spans: 'days', groups, share: WHOLE }, ask)
  for (const { values, cells } of measured ?? []) {
    const { figure: whole, notNumeric } = cells.at(-WHOLE_PERIOD) as Measured
    const before = cells.at(-BEFORE)?.figure ?? null
    const days = daysIn(query).map((_, day) => cells[day]?.figure ?? null)
    ranking.offer(rankOf(whole), () => ({ values, days, whole, before, notNumeric }))
  }
  return ranking.items()
}

/** A day without a figure differs from zero no more than one with 0. */
export function toMeasureSeries(group: MeasuredGroup, { event, groupBy }: MeasureQuery): FigureSeries {
  const { values, whole, before, notNumeric } = group
  const data = group.days.map(toNumber)
  return {
    name: groupBy.length > 0 ? nameOf(values) : (event ?? ANY_EVENT),
    data_type: 'time_series',
    data,
    length: data.length,
    key_value: roundedQuotient(whole),
    total: toNumber(whole),
    not_numeric: notNumeric,
    empty: data.every((value) => value === null || value === 0),
    change: percentChange(whole, before),
  }
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
  const users = new Map(
    counted?.groups.map(({ values, days, whole, before }) => [keyOf(values), [...days, before, whole]]),
  )
  return amounts?.map(({ values, cells }) => ({ values, cells: cells.map(measured(users.get(keyOf(values)))) })) ?? null

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
