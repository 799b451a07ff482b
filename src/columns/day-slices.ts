import type { Calendar } from '../base/time/calendar.ts'
import { lowerBound } from './flat-arrays.ts'

/** Times of one day, by their indexes; the end is exclusive. */
interface DaySlice {
  readonly day: number
  readonly from: number
  readonly to: number
}

/** Times that are in order, cut at each beginning of a day. */
export function* daySlices(
  { dayOf, startOf }: Calendar,
  times: Float64Array,
  { from, to }: Omit<DaySlice, 'day'> = { from: 0, to: times.length },
): Generator<DaySlice> {
  for (let start = from; start < to; ) {
    const day = dayOf(times[start] as number)
    const end = lowerBound(times, startOf(day + 1), start, to)
    yield { day, from: start, to: end }
    start = end
  }
}
