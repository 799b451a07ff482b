import { spanOf } from '../../base/time/calendar.ts'
import { daysIn, type Period } from '../../base/time/period.ts'
import type { Columns, Segment, SegmentSlice } from '../../columns/columns.ts'
import { intervalSlices } from '../../columns/interval-slices.ts'
import { segmentCache } from '../../columns/segment-cache.ts'

/** All events of a segment on one day. */
export interface DaySlice extends SegmentSlice {
  readonly day: number
}

/** The events of these names, day by day. */
export function* daySlices(columns: Columns, names: readonly string[], period: Period): Generator<DaySlice> {
  for (const day of daysIn(period)) {
    for (const slice of columns.slicesOf(names, spanOf(columns.calendar, { from: day, to: day }))) {
      yield { ...slice, day }
    }
  }
}

/** The days of a segment, each with the range of its events. */
export function daysOf({ calendar }: Columns, segment: Segment): readonly Pick<DaySlice, 'day' | 'from' | 'to'>[] {
  const read = () => {
    const slices = intervalSlices({ numberOf: calendar.dayOf, startOf: calendar.startOf }, segment.times)
    return Array.from(slices, ({ number: day, from, to }) => ({ day, from, to }))
  }
  return segmentCache.getOrAdd(`${segment.key} days`, read, ({ length }) => CUT_BYTES * length)
}

/** The approximate memory of a range. */
const CUT_BYTES = 64
