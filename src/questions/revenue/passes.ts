import { spanOf } from '../../base/time/calendar.ts'
import { daysIn, type Period } from '../../base/time/period.ts'
import type { Columns, SegmentSlice } from '../../columns/columns.ts'
import { createPace } from '../engine/pace.ts'
import type { ChargeReader } from './charges.ts'

/** The time from before the first event of any application to after the last one. */
export const EVER = { from: 0, to: Number.MAX_SAFE_INTEGER }

/** Events of one day. */
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

/** Passes the charges of slices to `take`. */
export function* takeCharges<Charges, Slice extends SegmentSlice>(
  reader: ChargeReader<Charges>,
  slices: Iterable<Slice>,
  take: (charges: Charges, slice: Slice) => void,
): Generator<void, void> {
  const pace = createPace()
  for (const slice of slices) {
    yield* reader.prepare(slice)
    for (const charges of reader.of(slice)) take(charges, slice)
    if (pace.isDue(slice.to - slice.from)) yield
  }
}
