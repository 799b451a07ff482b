import { boundsOf } from '../../base/time/intervals.ts'
import { daysIn, type Period } from '../../base/time/period.ts'
import type { EventProperty, Filter } from '../../columns/selection/filter.ts'
import type { Share } from '../../columns/selection/share.ts'
import type { ParamsOf } from '../engine/contract.ts'
import { toEventName } from '../engine/event-name.ts'
import type { GroupValues } from '../engine/groups.ts'
import type { RetentionMode, retentionFigures } from './contract.ts'

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
  /** The only cohorts to look for, unless all are. */
  readonly among?: CohortRange
}

/** The intervals of cohorts, both inclusive. */
export interface CohortRange {
  readonly first: number
  readonly last: number
}

/** A question for the number of users of each group of a share. */
export interface GroupSizesQuery extends RetentionQuery {
  readonly groupBy: EventProperty
  readonly share: Share
}

/** The query for a request's parameters, which asks for the largest groups. */
export function askedRetention(
  params: ParamsOf<typeof retentionFigures>,
  { period, today }: { readonly period: Period; readonly today: number },
): RetentionQuery {
  const { interval, start_event: start, return_event: back, mode, filters, group_by: grouped } = params
  return {
    startEvent: toEventName(start),
    returnEvent: toEventName(back),
    mode,
    filters,
    groupBy: grouped[0]?.property ?? null,
    bounds: boundsOf(period, interval, today),
    groups: null,
  }
}

/** Asks about one group only, or about all users together. */
export function ofGroup(query: RetentionQuery, group: GroupValues | undefined): RetentionQuery {
  return group ? { ...query, groups: [group] } : { ...query, groupBy: null }
}

/** Days and the intervals that they are in, numbered from 0. */
export interface Timetable {
  readonly intervals: number
  readonly period: Period
  readonly days: readonly number[]
  /** The interval of a day, or `OUTSIDE_INTERVALS`. */
  intervalOf(day: number): number
}

export const OUTSIDE_INTERVALS = -1

/**
 * Makes a timetable; `bounds` are the first day of each interval and the day after the last. Days of intervals that are not `among`
 * these are in none.
 */
export function timetableOf(
  bounds: readonly number[],
  among: CohortRange = { first: 0, last: bounds.length - 2 },
): Timetable {
  const [first = 0, end = 0] = [bounds[0], bounds.at(-1)]
  const numbers = new Int16Array(end - first).fill(OUTSIDE_INTERVALS)
  for (let interval = among.first; interval <= among.last; interval++) {
    numbers.fill(interval, (bounds[interval] as number) - first, (bounds[interval + 1] as number) - first)
  }
  const period = { from: first, to: end - 1 }
  return {
    intervals: Math.max(0, bounds.length - 1),
    period,
    days: daysIn(period),
    // Also of a user without a day, as one is whose events were erased.
    intervalOf: (day) => (day >= first && day < end ? (numbers[day - first] as number) : OUTSIDE_INTERVALS),
  }
}
