import type { Run } from '../../columns/columns.ts'
import { createSelection, type Selection } from '../../selection/selection.ts'
import { dayOf } from '../../time/days.ts'
import type { AskedCohorts, Cohorts } from './cohorts.ts'

type Places = Pick<Cohorts, 'intervals' | 'groups'>

/**
 * Puts users whose first event of a name passes into cohorts, and returns by user the time of that event. Looks at all time:
 * whoever started before the period is in no cohort of it.
 */
export function* addStarters(asked: AskedCohorts, name: string, cohorts: Places): Generator<void, Float64Array> {
  const { columns, filters, groups, timetable } = asked
  const firstTimes = new Float64Array(columns.userCount).fill(Number.POSITIVE_INFINITY)
  const selection = createSelection(columns, { filters })
  let isFirst = new Uint8Array(0)
  for (const run of columns.runsOf(name, { from: 0, to: timetable.span.to })) {
    if (groups?.isOverfull) break
    if (isFirst.length < run.to) isFirst = new Uint8Array(run.to)
    markFirsts(run, firstTimes, isFirst)
    const isWithin = (run.leaf.times[run.to - 1] as number) >= timetable.span.from
    if (isWithin) addFirsts(run, { ...asked, isFirst, selection }, cohorts)
    yield
  }
  return firstTimes
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

interface Adding extends Pick<AskedCohorts, 'groups' | 'timetable'> {
  readonly isFirst: Uint8Array
  readonly selection: Selection
}

/** Those of the marked events that pass the filters. */
function addFirsts(run: Run, { isFirst, selection, timetable, groups }: Adding, cohorts: Places): void {
  const { leaf } = run
  const { from, to, places } = selection.pick(leaf, run.from, run.to)
  const groupAt = groups?.of(leaf)
  for (let index = from; index < to; index++) {
    const place = places ? (places[index] as number) : index
    if (isFirst[place] === 0) continue
    const user = leaf.users[place] as number
    const interval = timetable.intervalOf(dayOf(leaf.times[place] as number))
    cohorts.intervals[user] = interval
    if (cohorts.groups && groupAt && interval >= 0) cohorts.groups[user] = groupAt(place)
  }
}
