import type { Calendar } from '../../base/time/calendar.ts'
import type { Columns, Segment } from '../../columns/columns.ts'
import { increase } from '../../columns/flat-arrays.ts'
import { OUTSIDE } from '../../columns/selection/dictionary.ts'
import { firstRows } from '../../columns/selection/first-rows.ts'
import { createSelection, type Picked } from '../../columns/selection/selection.ts'
import { createPace } from '../engine/pace.ts'
import type { SegmentGroups } from './event-groups.ts'
import { OUTSIDE_INTERVALS, type RetentionQuery, type Timetable, timetableOf } from './query.ts'

/** The first event that puts each user into a cohort. */
export interface Cohorts {
  /** Per user: the interval of the first event, or `OUTSIDE_INTERVALS` if the user is in no cohort. */
  readonly intervals: Int16Array
  /** Per user of a cohort: the time of the first event; null if no return can come before it. */
  readonly times: Float64Array | null
  /** Per user: the ordinal of the first event's group; null if nothing is grouped. */
  readonly groups: Uint32Array | null
}

/** Finds the cohorts of all users. The result is invalid if the groups become overfull. */
export function* findCohorts(
  columns: Columns,
  { startEvent, filters, bounds, among }: RetentionQuery,
  groups: SegmentGroups | null,
): Generator<void, Cohorts> {
  const { calendar, userCount } = columns
  const timetable = timetableOf(bounds, among)
  const firstDays = startEvent === null ? yield* columns.firstDays() : null
  if (firstDays && filters.length === 0 && !groups) return cohortsByDay(userCount, timetable, firstDays)
  const cohorts: Cohorts = {
    intervals: new Int16Array(userCount).fill(OUTSIDE_INTERVALS),
    times: startEvent === null ? null : new Float64Array(userCount),
    groups: groups && new Uint32Array(userCount).fill(OUTSIDE),
  }
  const selection = createSelection(columns, { filters })
  const pace = createPace()
  for (const { segment, indexes, looked } of firstRows(columns, startEvent, timetable.period)) {
    if (groups?.groups.isOverfull) break
    if (indexes.length > 0) {
      yield* selection.prepare(segment)
      const adding = { calendar, timetable, groups, firstDays, segment }
      addUsers(selection.pickAmong(segment, indexes), adding, cohorts)
    }
    if (pace.isDue(looked)) yield
  }
  return cohorts
}

/** Without filters and groups, the day of each user's first event suffices. */
function cohortsByDay(userCount: number, { intervalOf }: Timetable, firstDays: Int32Array): Cohorts {
  const intervals = new Int16Array(userCount)
  for (let user = 0; user < intervals.length; user++) intervals[user] = intervalOf(firstDays[user] as number)
  return { intervals, times: null, groups: null }
}

interface Adding {
  readonly calendar: Calendar
  readonly timetable: Timetable
  readonly groups: SegmentGroups | null
  /** Per user: the day of the first event; null if first events of a name are added. */
  readonly firstDays: Int32Array | null
  readonly segment: Segment
}

/** Puts users into cohorts by their first events. Times are read only where days are not known. */
function addUsers(
  { users, indexes, from, to }: Picked,
  { calendar, timetable: { intervalOf }, groups, firstDays, segment }: Adding,
  cohorts: Cohorts,
): void {
  const groupAt = groups?.of(segment)
  const times = firstDays ? null : segment.times
  let [day, end] = [0, Number.NEGATIVE_INFINITY]
  for (let index = from; index < to; index++) {
    const [user, row] = [users[index] as number, indexes?.[index] as number]
    if (firstDays) day = firstDays[user] as number
    else if ((times?.[row] as number) >= end) {
      day = calendar.dayOf(times?.[row] as number)
      end = calendar.startOf(day + 1)
    }
    cohorts.intervals[user] = intervalOf(day)
    if (cohorts.times && times) cohorts.times[user] = times[row] as number
    if (cohorts.groups && groupAt) cohorts.groups[user] = groupAt(row)
  }
}

/** Counts users per cohort: all users, then those of each group. */
export function cohortSizes(
  { intervals, groups }: Cohorts,
  size: { readonly intervals: number; readonly groups: number },
): Uint32Array[] {
  const all = Array.from({ length: size.groups + 1 }, () => new Uint32Array(size.intervals))
  for (let user = 0; user < intervals.length; user++) {
    const cohort = intervals[user] as number
    if (cohort < 0) continue
    increase(all[0] as Uint32Array, cohort)
    const ofGroup = groups ? all[(groups[user] as number) + 1] : undefined
    if (ofGroup) increase(ofGroup, cohort)
  }
  return all
}

/** The users of all cohorts. */
export function usersOf({ intervals }: Cohorts): Uint8Array {
  const users = new Uint8Array(intervals.length)
  for (let user = 0; user < users.length; user++) users[user] = Number(intervals[user] !== OUTSIDE_INTERVALS)
  return users
}
