import type { Columns } from '../../columns/columns.ts'
import { passesOn } from '../../selection/day-rows.ts'
import { createSelection } from '../../selection/selection.ts'
import { spanOf } from '../../time/period.ts'
import type { AskedCohorts, Cohorts } from './cohorts.ts'
import type { EventGroups } from './event-groups.ts'

const NOBODY = -1

/** Puts users whose first event ever passes into cohorts. It is the first of theirs in the timeline of their first day. */
export function* addFirstEvents(
  { columns, filters, groups, timetable }: AskedCohorts,
  firstDays: Int32Array,
  cohorts: Pick<Cohorts, 'intervals' | 'groups'>,
): Generator<void> {
  const selection = filters.length > 0 ? createSelection(columns, { filters }) : null
  for (const day of timetable.days) {
    if (groups?.isOverfull) return
    const newcomers = newcomersOn(columns, day, firstDays)
    const passes = selection && passesOn(columns, selection, day)
    const interval = timetable.intervalOf(day)
    for (let place = 0; place < newcomers.length; place++) {
      const user = newcomers[place] as number
      if (user === NOBODY) continue
      if (passes?.[place] === 0) newcomers[place] = NOBODY
      else cohorts.intervals[user] = interval
    }
    if (groups && cohorts.groups) tellGroups(columns, day, { newcomers, groups, groupsOf: cohorts.groups })
    yield
  }
}

/** Who came for the first time ever, each at the place of their first event. */
function newcomersOn(columns: Columns, day: number, firstDays: Int32Array): Int32Array {
  const { length, users, places } = columns.timelineOf(day)
  const newcomers = new Int32Array(length).fill(NOBODY)
  for (let event = 0, last = NOBODY; event < length; event++) {
    const user = users[event] as number
    if (user !== last && firstDays[user] === day) newcomers[places[event] as number] = user
    last = user
  }
  return newcomers
}

interface Telling {
  readonly newcomers: Int32Array
  readonly groups: EventGroups
  readonly groupsOf: Uint32Array
}

/** Places are those of all events of the day, name after name. */
function tellGroups(columns: Columns, day: number, { newcomers, groups, groupsOf }: Telling): void {
  let offset = 0
  for (const { leaf, from, to } of columns.runsOf(null, spanOf({ from: day, to: day }))) {
    const groupAt = groups.of(leaf)
    for (let place = from; place < to; place++) {
      const user = newcomers[offset + place - from] as number
      if (user !== NOBODY) groupsOf[user] = groupAt(place)
    }
    offset += to - from
  }
}
