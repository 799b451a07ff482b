import { type Calendar, spanOf } from '../../base/time/calendar.ts'
import { daysIn } from '../../base/time/period.ts'
import type { Span } from '../../columns/columns.ts'
import type { EventProperty, Filter } from '../../columns/selection/filter.ts'
import type { Share } from '../../columns/selection/share.ts'
import type { GroupValues } from '../engine/groups.ts'
import type { RetentionMode } from './contract.ts'

/** A question about returning users. */
export interface RetentionQuery {
  /** The event whose first occurrence puts a user into a cohort; null for any event. */
  readonly startEvent: string | null
  /** The event that counts as a return; null for any event. */
  readonly returnEvent: string | null
  readonly mode: RetentionMode
  /** Filters, which like groups apply to that first event. */
  readonly filters: readonly Filter[]
  readonly groupBy: EventProperty | null
  /** The first day of each interval, and the day after the last one: n + 1 days for n intervals, none for none. */
  readonly bounds: readonly number[]
  /** The groups to answer about, if they are already chosen; null for the largest. */
  readonly groups: readonly GroupValues[] | null
}

/** A question for the number of users of each group of a share. */
export interface GroupSizesQuery extends RetentionQuery {
  readonly groupBy: EventProperty
  readonly share: Share
}

/** Days and the intervals that they are in, numbered from 0. */
export interface Timetable {
  readonly intervals: number
  readonly days: readonly number[]
  readonly span: Span
  /** The interval of a day, or `OUTSIDE_INTERVALS`. */
  intervalOf(day: number): number
  /** The first moment after an interval. */
  endOf(interval: number): number
}

export const OUTSIDE_INTERVALS = -1

/** Makes a timetable; `bounds` are the first day of each interval and the day after the last. */
export function timetableOf(calendar: Calendar, bounds: readonly number[]): Timetable {
  const [first = 0, end = 0] = [bounds[0], bounds.at(-1)]
  const numbers = new Int16Array(end - first)
  for (let interval = 0; interval + 1 < bounds.length; interval++) {
    numbers.fill(interval, (bounds[interval] as number) - first, (bounds[interval + 1] as number) - first)
  }
  return {
    intervals: Math.max(0, bounds.length - 1),
    days: daysIn({ from: first, to: end - 1 }),
    span: spanOf(calendar, { from: first, to: end - 1 }),
    intervalOf: (day) => numbers[day - first] ?? OUTSIDE_INTERVALS,
    endOf: (interval) => calendar.startOf(bounds[interval + 1] as number),
  }
}
