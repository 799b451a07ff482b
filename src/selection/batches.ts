import type { Columns } from '../columns/columns.ts'
import { lowerBound } from '../columns/flat-arrays.ts'
import type { Property } from '../reports/filters/filter.ts'
import { dayOf, MS_PER_DAY } from '../time/days.ts'
import { daysIn, type Period, spanOf } from '../time/period.ts'
import { needsDictionary } from './grouping.ts'
import type { Picked, Selection } from './selection.ts'

/** Events of one day that a question counts, or pairs that stand for several events each. */
export interface Batch {
  readonly day: number
  readonly rows: Picked
  /** Events of each row; null where each is one event, or where nobody asks. */
  readonly counts: Uint32Array | null
}

export interface AskedBatches {
  /** Null for any event. */
  readonly event: string | null
  /** Everything that the selection filters and groups by. */
  readonly properties: readonly Property[]
  /** Whether events are counted, not only users. */
  readonly needsEvents: boolean
}

/** A batch of any days. */
export interface MixedBatch extends Omit<Batch, 'day'> {
  /** Among so many the rows were picked. */
  readonly looked: number
}

/** Everything of a period, in the order that takes least time. A batch is overwritten by the next one. */
export function mixedBatchesOf(
  columns: Columns,
  selection: Selection,
  { event, properties, needsEvents }: AskedBatches,
  period: Period,
): Iterable<MixedBatch> {
  return event === null && !needsDictionary(properties)
    ? pairsByDay(columns, selection, needsEvents, period)
    : eventsByRun(columns, selection, event, period)
}

function* eventsByRun(
  columns: Columns,
  selection: Selection,
  event: string | null,
  period: Period,
): Generator<MixedBatch> {
  for (const { leaf, from, to } of columns.runsOf(event, spanOf(period))) {
    yield { rows: selection.pick(leaf, from, to), counts: null, looked: to - from }
  }
}

/** Everything of a period, in order of days. A batch is overwritten by the next one. */
export function batchesOf(
  columns: Columns,
  selection: Selection,
  { event, properties, needsEvents }: AskedBatches,
  period: Period,
): Iterable<Batch> {
  if (event !== null) return eventsByDay(columns, selection, event, period)
  // Of any event the pairs of a day say everything but parameters.
  return needsDictionary(properties)
    ? allEventsByDay(columns, selection, period)
    : pairsByDay(columns, selection, needsEvents, period)
}

function* eventsByDay(columns: Columns, selection: Selection, name: string | null, period: Period): Generator<Batch> {
  for (const { leaf, from, to } of columns.runsOf(name, spanOf(period))) {
    for (let start = from; start < to; ) {
      const day = dayOf(leaf.times[start] as number)
      const end = lowerBound(leaf.times, (day + 1) * MS_PER_DAY, start, to)
      yield { day, rows: selection.pick(leaf, start, end), counts: null }
      start = end
    }
  }
}

/** Names follow one another, so days are asked for one by one. */
function* allEventsByDay(columns: Columns, selection: Selection, period: Period): Generator<Batch> {
  for (const day of daysIn(period)) yield* eventsByDay(columns, selection, null, { from: day, to: day })
}

function* pairsByDay(
  columns: Columns,
  selection: Selection,
  needsEvents: boolean,
  period: Period,
): Generator<Batch & MixedBatch> {
  for (const day of daysIn(period)) {
    const pairs = columns.pairsOf(day)
    const rows = selection.pick(pairs, 0, pairs.length)
    yield { day, rows, counts: needsEvents ? countsOf(pairs.counts, rows) : null, looked: pairs.length }
  }
}

function countsOf(counts: Uint32Array, { places, to }: Picked): Uint32Array {
  if (!places) return counts
  const picked = new Uint32Array(to)
  for (let index = 0; index < to; index++) picked[index] = counts[places[index] as number] as number
  return picked
}
