import { spanOf } from '../../base/time/calendar.ts'
import type { Columns, SegmentSlice } from '../../columns/columns.ts'
import { increase } from '../../columns/flat-arrays.ts'
import { passesOn } from '../../columns/selection/day-rows.ts'
import { OUTSIDE } from '../../columns/selection/dictionary.ts'
import type { Filter } from '../../columns/selection/filter.ts'
import { createSelection, type Selection } from '../../columns/selection/selection.ts'
import type { SegmentGroups } from './event-groups.ts'
import { OUTSIDE_INTERVALS, type RetentionQuery, type Timetable, timetableOf } from './query.ts'

/** The first event that puts each user into a cohort. */
export interface Cohorts {
  /** Per user: the interval of the first event, or `OUTSIDE_INTERVALS` if the user is in no cohort. */
  readonly intervals: Int16Array
  /** Per user: the time of the first event; null if no return can come before it. */
  readonly times: Float64Array | null
  /** Per user: the ordinal of the first event's group; null if nothing is grouped. */
  readonly groups: Uint32Array | null
}

/** What a search for first events needs. */
interface CohortSearch {
  readonly columns: Columns
  readonly filters: readonly Filter[]
  readonly groups: SegmentGroups | null
  readonly timetable: Timetable
}

/** Finds the cohorts of all users. The result is invalid if the groups become overfull. */
export function* findCohorts(
  columns: Columns,
  query: RetentionQuery,
  groups: SegmentGroups | null,
): Generator<void, Cohorts> {
  const { startEvent, filters, bounds } = query
  const { userCount } = columns
  const search = { columns, filters, groups, timetable: timetableOf(columns.calendar, bounds) }
  const cohorts = {
    intervals: new Int16Array(userCount).fill(OUTSIDE_INTERVALS),
    groups: groups && new Uint32Array(userCount).fill(OUTSIDE),
  }
  if (startEvent !== null) return { ...cohorts, times: yield* addStarters(search, startEvent, cohorts) }
  const firstDays = yield* columns.firstDays()
  if (filters.length > 0 || groups) yield* addFirstEvents(search, firstDays, cohorts)
  else addAll(search.timetable, firstDays, cohorts)
  return { ...cohorts, times: null }
}

/** Puts all users into cohorts by the day of their first event. */
function addAll({ intervalOf }: Timetable, firstDays: Int32Array, { intervals }: Pick<Cohorts, 'intervals'>): void {
  for (let user = 0; user < intervals.length; user++) intervals[user] = intervalOf(firstDays[user] as number)
}

const NOBODY = -1

/** Puts users whose first event ever passes into cohorts. It is their first in the timeline of their first day. */
function* addFirstEvents(
  { columns, filters, groups, timetable }: CohortSearch,
  firstDays: Int32Array,
  cohorts: Pick<Cohorts, 'intervals' | 'groups'>,
): Generator<void> {
  const selection = filters.length > 0 ? createSelection(columns, { filters }) : null
  for (const day of timetable.days) {
    if (groups?.isOverfull) return
    const newcomers = newcomersOn(columns, day, firstDays)
    const passes = selection && (yield* passesOn(columns, selection, day))
    const interval = timetable.intervalOf(day)
    for (let index = 0; index < newcomers.length; index++) {
      const user = newcomers[index] as number
      if (user === NOBODY) continue
      if (passes?.[index] === 0) newcomers[index] = NOBODY
      else cohorts.intervals[user] = interval
    }
    if (groups && cohorts.groups) addGroups(columns, day, { newcomers, groups, groupsOf: cohorts.groups })
    yield
  }
}

/** The users whose first event ever is on a day, each at the index of that event; `NOBODY` at all others. */
function newcomersOn(columns: Columns, day: number, firstDays: Int32Array): Int32Array {
  const newcomers = new Int32Array(columns.eventsOn(day)).fill(NOBODY)
  for (const { length, users, ...timeline } of columns.timelinesOf(day)) {
    const indexes = timeline.indexes()
    for (let event = 0, last = NOBODY; event < length; event++) {
      const user = users[event] as number
      if (user !== last && firstDays[user] === day) newcomers[indexes[event] as number] = user
      last = user
    }
  }
  return newcomers
}

interface Newcomers {
  readonly newcomers: Int32Array
  readonly groups: SegmentGroups
  readonly groupsOf: Uint32Array
}

/** Sets the groups of newcomers. Their indexes count all events of the day, name by name. */
function addGroups(columns: Columns, day: number, { newcomers, groups, groupsOf }: Newcomers): void {
  let offset = 0
  for (const { segment, from, to } of columns.slicesOf(null, spanOf(columns.calendar, { from: day, to: day }))) {
    const groupAt = groups.of(segment)
    for (let index = from; index < to; index++) {
      const user = newcomers[offset + index - from] as number
      if (user !== NOBODY) groupsOf[user] = groupAt(index)
    }
    offset += to - from
  }
}

type CohortArrays = Pick<Cohorts, 'intervals' | 'groups'>

/**
 * Puts users whose first event of a name passes into cohorts. Returns the time of that event per user. Reads all time,
 * as users who started before the period are in none of its cohorts.
 */
function* addStarters(search: CohortSearch, name: string, cohorts: CohortArrays): Generator<void, Float64Array> {
  const { columns, filters, groups, timetable } = search
  const firstTimes = new Float64Array(columns.userCount).fill(Number.POSITIVE_INFINITY)
  const selection = createSelection(columns, { filters })
  let isFirst = new Uint8Array(0)
  for (const run of columns.slicesOf(name, { from: 0, to: timetable.span.to })) {
    if (groups?.isOverfull) break
    if (isFirst.length < run.to) isFirst = new Uint8Array(run.to)
    markFirsts(run, firstTimes, isFirst)
    const isWithin = (run.segment.times[run.to - 1] as number) >= timetable.span.from
    if (isWithin) {
      yield* selection.prepare(run.segment)
      addFirsts(run, { ...search, isFirst, selection }, cohorts)
    }
    yield
  }
  return firstTimes
}

/** Sets 1 for each event that is its user's first one, of several at one instant the first in the segment. */
function markFirsts(
  { segment: { times, users }, from, to }: SegmentSlice,
  firstTimes: Float64Array,
  isFirst: Uint8Array,
): void {
  for (let index = from; index < to; index++) {
    const user = users[index] as number
    const time = times[index] as number
    const isEarlier = time < (firstTimes[user] as number)
    isFirst[index] = Number(isEarlier)
    if (isEarlier) firstTimes[user] = time
  }
}

interface Adding extends Pick<CohortSearch, 'columns' | 'groups' | 'timetable'> {
  readonly isFirst: Uint8Array
  readonly selection: Selection
}

/** Puts users into cohorts whose marked first event passes the filters. */
function addFirsts(run: SegmentSlice, adding: Adding, cohorts: CohortArrays): void {
  const { isFirst, selection, timetable, groups } = adding
  const { dayOf, startOf } = adding.columns.calendar
  const { segment } = run
  const { from, to, indexes } = selection.pick(segment, run.from, run.to)
  const groupAt = groups?.of(segment)
  const { users, times } = segment
  let [interval, nextDay] = [OUTSIDE_INTERVALS, Number.NEGATIVE_INFINITY]
  for (let index = from; index < to; index++) {
    const row = indexes ? (indexes[index] as number) : index
    if (isFirst[row] === 0) continue
    const user = users[row] as number
    const time = times[row] as number
    if (time >= nextDay) {
      const day = dayOf(time)
      interval = timetable.intervalOf(day)
      nextDay = startOf(day + 1)
    }
    cohorts.intervals[user] = interval
    if (cohorts.groups && groupAt && interval >= 0) cohorts.groups[user] = groupAt(row)
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
