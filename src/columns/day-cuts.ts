import type { Calendar } from '../base/time/calendar.ts'
import type { Segment } from './columns.ts'
import { intervalSlices } from './interval-slices.ts'
import { segmentCache } from './segment-cache.ts'

/** A day of a segment, with the range of its events. */
export interface DayCut {
  readonly day: number
  readonly from: number
  readonly to: number
}

/** The approximate memory of a cut. */
const CUT_BYTES = 64

/** The days on which a segment has events, in order. They are cached, so that times need not be read for them again. */
export function dayCuts({ dayOf, startOf }: Calendar, segment: Segment): readonly DayCut[] {
  const read = () => {
    const slices = intervalSlices({ numberOf: dayOf, startOf }, segment.times)
    return Array.from(slices, ({ number: day, from, to }) => ({ day, from, to }))
  }
  return segmentCache.getOrAdd(`${segment.key} days`, read, ({ length }) => CUT_BYTES * length)
}
