import { spanOf } from '../../base/time/calendar.ts'
import { type DividedPeriod, type Intervals, intervalsOf, undivided } from '../../base/time/divided-period.ts'
import { daysIn, type Period } from '../../base/time/period.ts'
import type { Columns, Segment, Span } from '../columns.ts'
import type { PairCounts } from '../flat-arrays.ts'
import { intervalSlices } from '../interval-slices.ts'
import type { EventProperty } from './filter.ts'
import { firstRows } from './first-rows.ts'
import { needsParams } from './grouping.ts'
import { type IntervalBatch, type Picked, preparing, type Selection } from './selection.ts'
import { timelineBatches } from './timeline-batches.ts'

export interface BatchParams {
  /** Null for any event. */
  readonly event: string | null
  /** Everything that the selection filters and groups by. */
  readonly properties: readonly EventProperty[]
  /** Whether events are counted, not only users. */
  readonly needsEvents: boolean
  /** Whether rows come with their segments, however their intervals are ordered. */
  readonly needsSegments?: boolean
  /** Whether an event counts only if it is its user's first of that name ever, or the first of all for any event. */
  readonly isFirstTime?: boolean
}

/** A batch of events of any intervals. */
export type MixedBatch = Omit<IntervalBatch, 'interval'>

/** All events of a period, in the order that takes least time. Each batch overwrites the one before. */
export function mixedBatchesOf(
  columns: Columns,
  selection: Selection,
  params: BatchParams,
  period: Period,
): Iterable<MixedBatch> {
  return batchesOf(columns, selection, { ...params, needsSegments: true }, undivided(period))
}

/**
 * All events of a period. Those of each user come in order of intervals, unless segments are asked for. Each batch overwrites the one
 * before.
 */
export function batchesOf(
  columns: Columns,
  selection: Selection,
  { event, properties, needsEvents, needsSegments = false, isFirstTime = false }: BatchParams,
  period: DividedPeriod,
): Iterable<IntervalBatch> {
  const intervals = intervalsOf(columns.calendar, period)
  if (isFirstTime) return firstEvents(columns, selection, event, { period, intervals })
  const span = spanOf(columns.calendar, period)
  if (event !== null) return eventsOfName(columns, selection, event, { span, intervals })
  if (!needsParams(properties) && period.isOfDays) {
    return pairsByDay(columns, selection, needsEvents, { period, intervals })
  }
  // Names follow one another.
  if (needsSegments || intervals.count === 1) return eventsOfName(columns, selection, null, { span, intervals })
  return period.isOfDays
    ? eventsByInterval(columns, selection, intervals)
    : timelineBatches(columns, selection, { period, intervals })
}

function* eventsOfName(
  columns: Columns,
  selection: Selection,
  name: string | null,
  { span, intervals }: { readonly span: Span; readonly intervals: Intervals },
): Generator<IntervalBatch> {
  for (const { segment, from, to } of columns.slicesOf(name, span)) {
    // Times are not read where that is not needed.
    yield* preparing(selection, segment)
    const slices =
      intervals.count === 1 ? [{ number: 0, from, to }] : intervalSlices(intervals, segment.times, { from, to })
    for (const { number: interval, ...slice } of slices) {
      const rows = selection.pick(segment, slice.from, slice.to)
      yield { interval, rows, counts: null, segment, looked: slice.to - slice.from }
    }
  }
}

/** Interval after interval, all names of each. */
function* eventsByInterval(columns: Columns, selection: Selection, intervals: Intervals): Generator<IntervalBatch> {
  for (let interval = 0; interval < intervals.count; interval++) {
    const span = { from: intervals.startOf(interval), to: intervals.startOf(interval + 1) }
    for (const { segment, from, to } of columns.slicesOf(null, span)) {
      yield* preparing(selection, segment, interval)
      yield { interval, rows: selection.pick(segment, from, to), counts: null, segment, looked: to - from }
    }
  }
}

interface Division {
  readonly period: Period
  readonly intervals: Intervals
}

/** For any event, the pairs of a day suffice unless parameters are needed. */
function* pairsByDay(
  columns: Columns,
  selection: Selection,
  needsEvents: boolean,
  { period, intervals }: Division,
): Generator<IntervalBatch> {
  for (const day of daysIn(period)) {
    const pairs = columns.pairsOf(day)
    const rows = selection.pick(pairs, 0, pairs.length)
    const counts = needsEvents ? countsOf(pairs.counts, rows) : null
    const interval = intervals.numberOf(columns.calendar.startOf(day))
    yield { interval, rows, counts, segment: null, looked: pairs.length }
  }
}

function countsOf(counts: PairCounts, { indexes, to }: Picked): PairCounts {
  if (!indexes) return counts
  const picked = new Uint32Array(to)
  for (let index = 0; index < to; index++) picked[index] = counts[indexes[index] as number] as number
  return picked
}

/** Batches of events that are the first of their users: at most one for each. */
function* firstEvents(
  columns: Columns,
  selection: Selection,
  event: string | null,
  { period, intervals }: Division,
): Generator<IntervalBatch> {
  for (const { segment, indexes, looked } of firstRows(columns, event, period)) {
    yield* preparing(selection, segment)
    if (indexes.length === 0) {
      yield { interval: 0, rows: selection.pickAmong(segment, indexes), counts: null, segment, looked }
    }
    for (const { number: interval, from, to } of intervalSlices(intervals, timesOf(segment, indexes))) {
      const rows = selection.pickAmong(segment, indexes.subarray(from, to))
      yield { interval, rows, counts: null, segment, looked: from === 0 ? looked : 0 }
    }
  }
}

function timesOf({ times }: Segment, indexes: Uint32Array): Float64Array {
  return Float64Array.from(indexes, (index) => times[index] as number)
}
