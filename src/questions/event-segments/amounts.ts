import { add, compareDecimals, type Decimal, ZERO } from '../../base/decimal.ts'
import type { Columns, Segment } from '../../columns/columns.ts'
import { enlarged } from '../../columns/flat-arrays.ts'
import { IS_NUMERIC } from '../../columns/selection/filter.ts'
import { NOT_NUMERIC, NUMBER, type Numbers, numbersOf } from '../../columns/selection/numbers.ts'
import type { Picked } from '../../columns/selection/selection.ts'
import type { GroupValues } from '../groups.ts'
import { BOUNDS, type Bounds, type Report } from '../question.ts'
import { countCandidates } from './candidates.ts'
import type { Measure } from './contract.ts'
import { type CellsOfRows, ExactSums } from './exact-sums.ts'
import { Extremes } from './extremes.ts'
import {
  type CellsQuery,
  collectGroups,
  firstCellsOf,
  type GroupCells,
  groupingFor,
  type MeasureQuery,
  mergeGroups,
  takeSlices,
} from './measure-query.ts'
import type { EventSegmentsQuery } from './query.ts'
import { perEach, type Quotient, wholeOf } from './quotient.ts'

/** What adds up of a parameter's values in a cell. */
export interface Amounts {
  /** Events with a numeric value, and those with another one. */
  readonly events: number
  readonly notNumeric: number
  readonly sum: Decimal
  /** Null without numeric values, and where the measure does not need them. */
  readonly least: Decimal | null
  readonly most: Decimal | null
  /** Distinct users of the events with a numeric value; 0 where the measure does not need them, or where they are counted apart. */
  readonly users: number
}

/** Of different events, and different users. */
function addAmounts(a: Amounts, b: Amounts): Amounts {
  return {
    events: a.events + b.events,
    notNumeric: a.notNumeric + b.notNumeric,
    sum: add(a.sum, b.sum),
    least: extremeOf(a.least, b.least, -1),
    most: extremeOf(a.most, b.most, 1),
    users: a.users + b.users,
  }
}

function extremeOf(a: Decimal | null, b: Decimal | null, sign: 1 | -1): Decimal | null {
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

/** Kinds of values are below this. */
const KINDS = 4

/** The amounts of each group and span; null if the groups are too many. */
type MaybeAmounts = readonly GroupCells<Amounts>[] | null

export const amountsReport: Report<CellsQuery, MaybeAmounts, MaybeAmounts> = {
  name: 'amounts of a parameter',
  isLarge: ({ groups }) => groups === null,
  part: countAmounts,
  result: (parts) => mergeGroups(parts, addAmounts),
}

function* countAmounts(columns: Columns, query: CellsQuery, bounds = BOUNDS): Generator<void, MaybeAmounts> {
  const { measure } = query
  const grouping = groupingFor(columns, query, bounds)
  const sums = measure === 'min' || measure === 'max' ? null : new ExactSums()
  const extremes = sums ? null : new Extremes(measure === 'min' ? -1 : 1)
  const counts = new KindCounts()
  const read = (segment: Segment) => numbersOf(segment, query.of)
  yield* takeSlices({ columns, query, grouping, read }, (rows, numbers, span) => {
    const cells = { firstCells: firstCellsOf(query, span), groups: grouping?.count ?? 1 }
    counts.add(rows, numbers, cells)
    sums?.add(rows, numbers, cells)
    extremes?.add(rows, numbers, cells)
  })
  const users = measure === 'per_user' && !query.groups ? yield* usersOfGroups(columns, query, bounds) : null
  const groups = collectGroups<Amounts>({
    query,
    grouping,
    bounds,
    hasAny: ({ events, notNumeric }) => events + notNumeric > 0,
    cellOf: (cell): Amounts => ({
      ...counts.of(cell),
      sum: sums?.sumOf(cell) ?? ZERO,
      least: measure === 'min' ? (extremes?.of(cell) ?? null) : null,
      most: measure === 'max' ? (extremes?.of(cell) ?? null) : null,
      users: 0,
    }),
  })
  if (!users || !groups) return groups
  return groups.map(({ values, cells }) => {
    return { values, cells: cells.map((cell) => ({ ...cell, users: users.get(JSON.stringify(values)) ?? 0 })) }
  })
}

/** Events of many cells: those with a numeric value, and those with another one. */
class KindCounts {
  /** By cell, then by kind. */
  #counts = new Uint32Array(0)
  /** Those of the rows at hand, by group, then by kind. */
  #lanes = new Uint32Array(KINDS)

  add({ groups: own, indexes, from, to }: Picked, numbers: Numbers, { firstCells, groups }: CellsOfRows): void {
    const { codes, kinds, isComplete } = numbers
    if (this.#lanes.length < KINDS * groups) this.#lanes = new Uint32Array(2 * KINDS * groups)
    const lanes = this.#lanes
    if (isComplete && !own) lanes[NUMBER] = to - from
    else
      for (let row = from; row < to; row++) {
        const kind = kinds[codes[indexes ? (indexes[row] as number) : row] as number] as number
        const lane = own ? KINDS * (own[row] as number) + kind : kind
        lanes[lane] = (lanes[lane] as number) + 1
      }
    for (const first of firstCells) this.#addLanes(KINDS * first, KINDS * groups)
    lanes.fill(0, 0, KINDS * groups)
  }

  #addLanes(first: number, length: number): void {
    if (this.#counts.length < first + length) this.#counts = enlarged(this.#counts, 2 * (first + length))
    const [counts, lanes] = [this.#counts, this.#lanes]
    for (let lane = 0; lane < length; lane++) {
      counts[first + lane] = (counts[first + lane] as number) + (lanes[lane] as number)
    }
  }

  of(cell: number): Pick<Amounts, 'events' | 'notNumeric'> {
    const first = KINDS * cell
    return { events: this.#counts[first + NUMBER] ?? 0, notNumeric: this.#counts[first + NOT_NUMERIC] ?? 0 }
  }
}

/** By group: the distinct users who had an event with a numeric value. */
function* usersOfGroups(
  columns: Columns,
  query: CellsQuery,
  bounds: Bounds,
): Generator<void, ReadonlyMap<string, number>> {
  const users = new Map<string, number>()
  yield* countCandidates({ columns, query: numericUsersQuery(query, null), bounds }, query.share, (counts, valuesOf) =>
    users.set(JSON.stringify(valuesOf()), counts.users),
  )
  return users
}

/** The question for the users who had an event with a numeric value. */
export function numericUsersQuery(query: MeasureQuery, groups: readonly GroupValues[] | null): EventSegmentsQuery {
  const { event, of, filters, groupBy, before, from, to } = query
  const isNumeric = { property: { of: 'params', name: of }, operator: IS_NUMERIC } as const
  return { event, mode: 'uniques', filters: [...filters, isNumeric], groupBy, before, from, to, groups }
}
