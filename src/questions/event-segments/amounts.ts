import { add, compareDecimals, type Decimal, ZERO } from '../../base/decimal.ts'
import type { Columns } from '../../columns/columns.ts'
import { IS_NUMERIC } from '../../columns/selection/filter.ts'
import { numbersOf, type ParamNumbers } from '../../columns/selection/numbers.ts'
import { perEach, type Quotient, wholeOf } from '../engine/quotient.ts'
import { takeGroups } from '../engine/ranked.ts'
import { BOUNDS, type Bounds, type Report } from '../engine/report.ts'
import { searchGroups } from './candidates.ts'
import type { Measure } from './contract.ts'
import { ExactSums } from './exact-sums.ts'
import { Extremes } from './extremes.ts'
import { countGroups } from './group-counts.ts'
import { KindCounts } from './kind-counts.ts'
import { type CellsQuery, collectCells, type GroupCells, mergeGroups } from './measure-query.ts'

/** A cell's figures of a parameter that can be merged across objects. */
export interface Amounts {
  /** Events with a numeric value, and events with any other value. */
  readonly events: number
  readonly notNumeric: number
  readonly sum: Decimal
  /** Null without numeric values, and where the measure does not need them. */
  readonly least: Decimal | null
  readonly most: Decimal | null
  /** Distinct users with a numeric value; 0 if the measure does not need them. */
  readonly users: number
}

/** Written out: it adds up every interval of every group, and a `record` takes four times as long. */
function amounts(a: Amounts, b: Amounts): Amounts {
  return {
    events: a.events + b.events,
    notNumeric: a.notNumeric + b.notNumeric,
    sum: add(a.sum, b.sum),
    least: extreme(a.least, b.least, -1),
    most: extreme(a.most, b.most, 1),
    users: a.users + b.users,
  }
}

function extreme(a: Decimal | null, b: Decimal | null, sign: 1 | -1): Decimal | null {
  if (!a || !b) return a ?? b
  return compareDecimals(b, a) * sign > 0 ? b : a
}

export type AmountMeasure = Extract<Measure, 'sum' | 'avg' | 'min' | 'max' | 'per_user'>

export const AMOUNT_FIGURES: Readonly<Record<AmountMeasure, (amounts: Amounts) => Quotient | null>> = {
  sum: ({ sum }) => wholeOf(sum),
  avg: ({ sum, events }) => (events === 0 ? null : perEach(sum, events)),
  min: ({ least }) => least && wholeOf(least),
  max: ({ most }) => most && wholeOf(most),
  per_user: ({ sum, users }) => (users === 0 ? wholeOf(ZERO) : perEach(sum, users)),
}

/** The amounts of each group and span; null if the groups are too many. */
type MaybeAmounts = readonly GroupCells<Amounts>[] | null

export const amountsReport: Report<CellsQuery, MaybeAmounts, MaybeAmounts> = {
  name: 'amounts of a parameter',
  isLarge: ({ groups, measure, groupBy }) => groups === null || (measure === 'per_user' && groupBy.length > 0),
  part: countAmounts,
  result: (parts) => mergeGroups(parts, amounts),
}

function* countAmounts(columns: Columns, query: CellsQuery, bounds = BOUNDS): Generator<void, MaybeAmounts> {
  const { measure } = query
  const sums = measure === 'min' || measure === 'max' ? null : new ExactSums()
  const extremes = sums ? null : new Extremes(measure === 'min' ? -1 : 1)
  const counts = new KindCounts()
  const groups = yield* collectCells<ParamNumbers, Amounts>(
    { columns, query, bounds },
    {
      read: (segment) => numbersOf(segment, query.of),
      take(...rows) {
        counts.add(...rows)
        sums?.add(...rows)
        extremes?.add(...rows)
        return true
      },
      cellsOf: () => (cell) => ({
        ...counts.of(cell),
        sum: sums?.sumOf(cell) ?? ZERO,
        least: measure === 'min' ? (extremes?.of(cell) ?? null) : null,
        most: measure === 'max' ? (extremes?.of(cell) ?? null) : null,
        users: 0,
      }),
      hasAny,
    },
  )
  if (!groups) return null
  const users = measure === 'per_user' ? yield* usersOfGroups(columns, query, bounds) : null
  return groups.map(({ values, cells }) => {
    const own = users?.get(JSON.stringify(values))
    return { values, cells: own ? cells.map((cell, span) => ({ ...cell, users: own[span] ?? 0 })) : cells }
  })
}

/** Whether the parameter has any value. */
export function hasAny({ events, notNumeric }: Amounts): boolean {
  return events + notNumeric > 0
}

/** Per span, each group's distinct users with a numeric value; the keys are the groups' values as JSON. */
function* usersOfGroups(
  columns: Columns,
  query: CellsQuery,
  bounds: Bounds,
): Generator<void, ReadonlyMap<string, readonly number[]>> {
  const { event, of, filters, groupBy, period, before, isFirstTime, groups } = query
  const isNumeric = { property: { of: 'params', name: of }, operator: IS_NUMERIC } as const
  const shared = { event, groupBy, period, before, isFirstTime, groups }
  const asked = { ...shared, mode: 'uniques', filters: [...filters, isNumeric] } as const
  const users = new Map<string, readonly number[]>()
  if (groups) {
    for (const { values, now, before } of yield* countGroups(columns, asked, groups)) {
      const spans = [...now.intervals, now.whole, ...before.intervals, before.whole]
      users.set(
        JSON.stringify(values),
        spans.map((counts) => counts.users),
      )
    }
  } else {
    const find = searchGroups({ columns, query: asked, bounds })
    yield* takeGroups(find, query.share, ({ whole }, valuesOf) => users.set(JSON.stringify(valuesOf()), [whole.users]))
  }
  return users
}
