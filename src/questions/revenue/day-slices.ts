import { spanOf } from '../../base/time/calendar.ts'
import type { Period } from '../../base/time/period.ts'
import type { Columns, Segment, SegmentSlice, Span } from '../../columns/columns.ts'
import { intervalSlices } from '../../columns/interval-slices.ts'
import { segmentCache } from '../../columns/segment-cache.ts'

/** All events of a segment on a day. */
export interface DaySlice extends SegmentSlice {
  readonly day: number
}

type Cut = Pick<DaySlice, 'day' | 'from' | 'to'>

interface Days {
  readonly cuts: readonly Cut[]
  /** From its first event to its last. */
  readonly span: Span
}

/**
 * The events of names, day after day. The times of most segments are not read, if they were before; nor are segments held meanwhile, with
 * all that was read of them.
 */
export function* daySlices(columns: Columns, names: readonly string[], period: Period): Generator<DaySlice> {
  const places: (Cut & { readonly name: string; readonly key: string; readonly span: Span })[] = []
  for (const { name, segment } of columns.slicesOf(names, spanOf(columns.calendar, period))) {
    const { cuts, span } = daysOf(columns, segment)
    for (const cut of cuts) {
      if (cut.day >= period.from && cut.day <= period.to) places.push({ name, key: segment.key, span, ...cut })
    }
  }
  const open = new Map<string, Segment>()
  for (const { name, key, span, ...cut } of places.sort((a, b) => a.day - b.day)) {
    const known = open.get(name)
    const segment = known?.key === key ? known : findSegment(columns, name, { key, span })
    open.set(name, segment)
    yield { name, segment, ...cut }
  }
}

function findSegment(columns: Columns, name: string, { key, span }: { key: string; span: Span }): Segment {
  for (const { segment } of columns.slicesOf(name, span)) if (segment.key === key) return segment
  throw new RangeError(`no segment ${key}`)
}

/** Where the days of a segment lie in it. */
export function daysOf({ calendar }: Columns, segment: Segment): Days {
  const read = () => {
    const { times } = segment
    const slices = intervalSlices({ numberOf: calendar.dayOf, startOf: calendar.startOf }, times)
    const cuts = Array.from(slices, ({ number: day, from, to }) => ({ day, from, to }))
    return { cuts, span: { from: times[0] as number, to: (times.at(-1) as number) + 1 } }
  }
  return segmentCache.getOrAdd(`${segment.key} days`, read, ({ cuts }) => CUT_BYTES * cuts.length)
}

/** About what one takes. */
const CUT_BYTES = 64
