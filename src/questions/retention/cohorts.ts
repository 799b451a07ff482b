import type { Calendar } from '../../base/time/calendar.ts'
import type { Columns } from '../../columns/columns.ts'
import { increase } from '../../columns/flat-arrays.ts'
import { OUTSIDE } from '../../columns/selection/dictionary.ts'
import { firstRows } from '../../columns/selection/first-rows.ts'
import { createSelection, type PickedEvents } from '../../columns/selection/selection.ts'
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
  { startEvent, filters, bounds }: RetentionQuery,
  groups: SegmentGroups | null,
): Generator<void, Cohorts> {
  const { calendar, userCount } = columns
  const timetable = timetableOf(bounds)
  if (startEvent === null && filters.length === 0 && !groups) return cohortsByDay(timetable, yield* columns.firstDays())
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
      const picked = { ...selection.pickAmong(segment, indexes), times: segment.times, segment }
      addUsers(picked, { calendar, timetable, groups }, cohorts)
    }
    // Before the first events, each step reads a whole day.
    if (looked === 0 || pace.isDue(looked)) yield
  }
  return cohorts
}

/** Without filters and groups, the day of each user's first event suffices. */
function cohortsByDay({ intervalOf }: Timetable, firstDays: Int32Array): Cohorts {
  const intervals = new Int16Array(firstDays.length)
  for (let user = 0; user < intervals.length; user++) intervals[user] = intervalOf(firstDays[user] as number)
  return { intervals, times: null, groups: null }
}

interface Adding {
  readonly calendar: Calendar
  readonly timetable: Timetable
  readonly groups: SegmentGroups | null
}

/** Puts users into cohorts by their first events. */
function addUsers(
  { segment, users, times, indexes, from, to }: PickedEvents,
  { calendar, timetable, groups }: Adding,
  cohorts: Cohorts,
): void {
  const groupAt = groups?.of(segment)
  let [interval, nextDay] = [OUTSIDE_INTERVALS, Number.NEGATIVE_INFINITY]
  for (let index = from; index < to; index++) {
    const row = indexes?.[index] as number
    const [user, time] = [users[index] as number, times[row] as number]
    if (time >= nextDay) {
      const day = calendar.dayOf(time)
      interval = timetable.intervalOf(day)
      nextDay = calendar.startOf(day + 1)
    }
    cohorts.intervals[user] = interval
    if (cohorts.times) cohorts.times[user] = time
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
  return Uint8Array.from(intervals, (own) => Number(own !== OUTSIDE_INTERVALS))
}
