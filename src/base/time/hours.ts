import type { Calendar } from './calendar.ts'
import { MS_PER_DAY, MS_PER_HOUR } from './days.ts'

/** A stretch of a day during which local clocks show the same hour, without a change of clocks. It ends where the next one begins. */
export interface LocalHour {
  /** Milliseconds since 1970 UTC. */
  readonly from: number
  /** What clocks show, from 0 to 23. */
  readonly hour: number
}

const HOURS_PER_DAY = MS_PER_DAY / MS_PER_HOUR

/**
 * The hours of a day in order: 24 unless clocks change. Then one may be missing, come twice, or be shorter than 60 minutes. A date that
 * the zone skipped has none.
 */
export function hoursOf({ startOf, offsetAt }: Calendar, day: number): LocalHour[] {
  const [from, to] = [startOf(day), startOf(day + 1)]
  if (to - from === MS_PER_DAY) {
    return Array.from({ length: HOURS_PER_DAY }, (_, hour) => ({ from: from + hour * MS_PER_HOUR, hour }))
  }
  const hours: LocalHour[] = []
  for (let start = from; start < to; ) {
    const offset = offsetAt(start)
    const hour = Math.floor((start + offset) / MS_PER_HOUR)
    hours.push({ from: start, hour: ((hour % HOURS_PER_DAY) + HOURS_PER_DAY) % HOURS_PER_DAY })
    const end = Math.min((hour + 1) * MS_PER_HOUR - offset, to)
    start = changeWithin(offsetAt, start, end) ?? end
  }
  return hours
}

/** The first moment between two with another offset than the first one has; null if there is none. */
function changeWithin(offsetAt: Calendar['offsetAt'], from: number, to: number): number | null {
  const offset = offsetAt(from)
  if (offsetAt(to - 1) === offset) return null
  let [before, after] = [from, to - 1]
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (offsetAt(middle) === offset) before = middle
    else after = middle
  }
  return after
}
