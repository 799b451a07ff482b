import type { Columns } from '../../columns/columns.ts'
import { OUTSIDE } from '../../selection/dictionary.ts'
import type { Cohorts } from './cohorts.ts'
import type { EventGroups } from './event-groups.ts'
import { addFirstEvents } from './first-events.ts'
import type { RetentionQuery } from './query.ts'
import { addStarters } from './starters.ts'
import { OUTSIDE_INTERVALS, type Timetable, timetableOf } from './timetable.ts'

/** Says nothing of use where there turn out to be too many groups. */
export function* findCohorts(
  columns: Columns,
  query: RetentionQuery,
  groups: EventGroups | null,
): Generator<void, Cohorts> {
  const { startEvent, filters, bounds } = query
  const { userCount } = columns
  const asked = { columns, filters, groups, timetable: timetableOf(bounds) }
  const cohorts = {
    intervals: new Int16Array(userCount).fill(OUTSIDE_INTERVALS),
    groups: groups && new Uint32Array(userCount).fill(OUTSIDE),
  }
  if (startEvent !== null) return { ...cohorts, times: yield* addStarters(asked, startEvent, cohorts) }
  const firstDays = yield* columns.firstDays()
  if (filters.length > 0 || groups) yield* addFirstEvents(asked, firstDays, cohorts)
  else addAll(asked.timetable, firstDays, cohorts)
  return { ...cohorts, times: null }
}

/** Nothing is asked of the first event but its day. */
function addAll({ intervalOf }: Timetable, firstDays: Int32Array, { intervals }: Pick<Cohorts, 'intervals'>): void {
  for (let user = 0; user < intervals.length; user++) intervals[user] = intervalOf(firstDays[user] as number)
}
