import { spanOf } from '../../base/time/calendar.ts'
import { daysIn, type Period } from '../../base/time/period.ts'
import type { Columns, Segment } from '../columns.ts'
import { daySlices } from '../day-slices.ts'
import type { EventProperty } from './filter.ts'
import { needsParams } from './grouping.ts'
import type { Picked, Selection } from './selection.ts'

/** Events of one day that a question counts, or pairs that stand for several events each. */
export interface DayBatch {
  readonly day: number
  readonly rows: Picked
  /** The number of events of each row; null where each is one event, or where it does not matter. */
  readonly counts: Uint32Array | null
  /** The segment that the rows were picked from; null where they are pairs. */
  readonly segment: Segment | null
}

export interface BatchParams {
  /** Null for any event. */
  readonly event: string | null
  /** Everything that the selection filters and groups by. */
  readonly properties: readonly EventProperty[]
  /** Whether events are counted, not only users. */
  readonly needsEvents: boolean
}

/** A batch of events of any days. */
export interface MixedBatch extends Omit<DayBatch, 'day'> {
  /** The number of rows that were looked at. */
  readonly looked: number
}

/** All events of a period, in the order that takes least time. Each batch overwrites the one before. */
export function mixedBatchesOf(
  columns: Columns,
  selection: Selection,
  { event, properties, needsEvents }: BatchParams,
  period: Period,
): Iterable<MixedBatch> {
  return event === null && !needsParams(properties)
    ? pairsByDay(columns, selection, needsEvents, period)
    : eventsBySlice(columns, selection, event, period)
}

function* eventsBySlice(
  columns: Columns,
  selection: Selection,
  event: string | null,
  period: Period,
): Generator<MixedBatch> {
  for (const { segment, from, to } of columns.slicesOf(event, spanOf(columns.calendar, period))) {
    yield { rows: selection.pick(segment, from, to), counts: null, segment, looked: to - from }
  }
}

/** All events of a period, in order of days. Each batch overwrites the one before. */
export function batchesOf(
  columns: Columns,
  selection: Selection,
  { event, properties, needsEvents }: BatchParams,
  period: Period,
): Iterable<DayBatch> {
  if (event !== null) return eventsByDay(columns, selection, event, period)
  // For any event, the pairs of a day suffice unless parameters are needed.
  return needsParams(properties)
    ? allEventsByDay(columns, selection, period)
    : pairsByDay(columns, selection, needsEvents, period)
}

function* eventsByDay(
  columns: Columns,
  selection: Selection,
  name: string | null,
  period: Period,
): Generator<DayBatch> {
  for (const { segment, from, to } of columns.slicesOf(name, spanOf(columns.calendar, period))) {
    for (const { day, ...rows } of daySlices(columns.calendar, segment.times, { from, to })) {
      yield { day, rows: selection.pick(segment, rows.from, rows.to), counts: null, segment }
    }
  }
}

/** Names follow one another, so days are asked for one by one. */
function* allEventsByDay(columns: Columns, selection: Selection, period: Period): Generator<DayBatch> {
  for (const day of daysIn(period)) yield* eventsByDay(columns, selection, null, { from: day, to: day })
}

function* pairsByDay(
  columns: Columns,
  selection: Selection,
  needsEvents: boolean,
  period: Period,
): Generator<DayBatch & MixedBatch> {
  for (const day of daysIn(period)) {
    const pairs = columns.pairsOf(day)
    const rows = selection.pick(pairs, 0, pairs.length)
    const counts = needsEvents ? countsOf(pairs.counts, rows) : null
    yield { day, rows, counts, segment: null, looked: pairs.length }
  }
}

function countsOf(counts: Uint32Array, { indexes, to }: Picked): Uint32Array {
  if (!indexes) return counts
  const picked = new Uint32Array(to)
  for (let index = 0; index < to; index++) picked[index] = counts[indexes[index] as number] as number
  return picked
}
