import type { Columns, Leaf, Run } from '../../columns/columns.ts'
import { groupsOn, passesOn } from '../../selection/day-rows.ts'
import { OUTSIDE } from '../../selection/dictionary.ts'
import type { Grouping } from '../../selection/grouping.ts'
import { createSelection, type Selection } from '../../selection/selection.ts'
import { dayOf } from '../../time/days.ts'
import type { RetentionQuery } from './query.ts'
import { OUTSIDE_INTERVALS, type Timetable } from './timetable.ts'

/** Who came first when. */
export interface Cohorts {
  /** By user the interval of the first event; `OUTSIDE_INTERVALS` for who is in no cohort. */
  readonly intervals: Int16Array
  /** By user the time of the first event; null where nothing can come before it. */
  readonly times: Float64Array | null
  /** By user the ordinal of the group of the first event; null where nothing is grouped. */
  readonly groups: Uint32Array | null
}

interface Asked {
  readonly columns: Columns
  readonly query: RetentionQuery
  readonly timetable: Timetable
  readonly grouping: Grouping | null
}

/** Says nothing of use where there turn out to be too many groups. */
export function* findCohorts(asked: Asked): Generator<void, Cohorts> {
  const { columns, query, grouping } = asked
  const cohorts = {
    intervals: new Int16Array(columns.userCount).fill(OUTSIDE_INTERVALS),
    times: query.startEvent === null ? null : new Float64Array(columns.userCount).fill(Number.POSITIVE_INFINITY),
    groups: grouping && new Uint32Array(columns.userCount).fill(OUTSIDE),
  }
  if (query.startEvent !== null) yield* addStarters(asked, query.startEvent, cohorts)
  else if (query.filters.length > 0 || grouping) yield* addFirstEvents(asked, cohorts)
  else addAll(asked.timetable, yield* columns.firstDays(), cohorts)
  return cohorts
}

/** Nothing is asked of the first event but its day. */
function addAll(timetable: Timetable, firstDays: Int32Array, { intervals }: Cohorts): void {
  for (let user = 0; user < intervals.length; user++) {
    intervals[user] = timetable.intervalOf(firstDays[user] as number)
  }
}

/** The first event ever of a user is the first of theirs in the timeline of their first day. */
function* addFirstEvents({ columns, query, timetable, grouping }: Asked, cohorts: Cohorts): Generator<void> {
  const firstDays = yield* columns.firstDays()
  const selection = query.filters.length > 0 ? createSelection(columns, { filters: query.filters }) : null
  for (const day of timetable.days) {
    if (grouping?.isOverfull) return
    const { length, users, places } = columns.timelineOf(day)
    const passes = selection && passesOn(columns, selection, day)
    const groups = grouping && groupsOn(columns, grouping, day)
    const interval = timetable.intervalOf(day)
    for (let event = 0, last = -1; event < length; event++) {
      const user = users[event] as number
      if (user === last) continue
      last = user
      const place = places[event] as number
      if (firstDays[user] !== day || passes?.[place] === 0) continue
      cohorts.intervals[user] = interval
      if (cohorts.groups && groups) cohorts.groups[user] = groups[place] as number
    }
    yield
  }
}

/** Of all time: whoever started before the period is in no cohort. */
function* addStarters({ columns, query, timetable, grouping }: Asked, name: string, cohorts: Cohorts): Generator<void> {
  const selection = createSelection(columns, { filters: query.filters })
  let isFirst = new Uint8Array(0)
  for (const run of columns.runsOf(name, { from: 0, to: timetable.span.to })) {
    if (grouping?.isOverfull) return
    if (isFirst.length < run.to) isFirst = new Uint8Array(run.to)
    markFirsts(run, cohorts.times as Float64Array, isFirst)
    if ((run.leaf.times[run.to - 1] as number) >= timetable.span.from) {
      addFirsts(run, { isFirst, selection, timetable, grouping, cohorts })
    }
    yield
  }
}

/** A 1 where an event is the first one of its user: of one instant the one that comes first in the leaf. */
function markFirsts({ leaf: { times, users }, from, to }: Run, firstTimes: Float64Array, isFirst: Uint8Array): void {
  for (let place = from; place < to; place++) {
    const user = users[place] as number
    const time = times[place] as number
    const isEarlier = time < (firstTimes[user] as number)
    isFirst[place] = Number(isEarlier)
    if (isEarlier) firstTimes[user] = time
  }
}

interface Adding extends Pick<Asked, 'timetable' | 'grouping'> {
  readonly isFirst: Uint8Array
  readonly selection: Selection
  readonly cohorts: Cohorts
}

/** Those of the marked events that pass the filters. */
function addFirsts(run: Run, { isFirst, selection, timetable, grouping, cohorts }: Adding): void {
  const { leaf } = run
  const { from, to, places } = selection.pick(leaf, run.from, run.to)
  const groupAt = grouping && groupsIn(grouping, leaf)
  for (let index = from; index < to; index++) {
    const place = places ? (places[index] as number) : index
    if (isFirst[place] === 0) continue
    const user = leaf.users[place] as number
    cohorts.intervals[user] = timetable.intervalOf(dayOf(leaf.times[place] as number))
    if (cohorts.groups && groupAt) cohorts.groups[user] = groupAt(place)
  }
}

function groupsIn(grouping: Grouping, leaf: Leaf): (place: number) => number {
  const { codes, table } = grouping.of(leaf)
  return (place) => table[codes[place] as number] as number
}
