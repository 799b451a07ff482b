import type { Intervals } from '../base/time/divided-period.ts'
import { lowerBound } from './flat-arrays.ts'

/** Times of one interval, by their indexes; the end is exclusive. */
interface IntervalSlice {
  readonly number: number
  readonly from: number
  readonly to: number
}

/** Times that are in order, cut where intervals begin. */
export function* intervalSlices(
  { numberOf, startOf }: Omit<Intervals, 'count'>,
  times: Float64Array,
  { from, to }: Omit<IntervalSlice, 'number'> = { from: 0, to: times.length },
): Generator<IntervalSlice> {
  for (let start = from; start < to; ) {
    const number = numberOf(times[start] as number)
    const end = lowerBound(times, startOf(number + 1), start, to)
    yield { number, from: start, to: end }
    start = end
  }
}
