import type { Columns } from '../../columns/columns.ts'
import type { Batch } from '../../selection/batches.ts'
import { closedDictionary } from '../../selection/dictionary.ts'
import { groupingByText } from '../../selection/grouping.ts'
import { createSelection } from '../../selection/selection.ts'
import { daysIn } from '../../time/period.ts'
import type { GroupValues } from '../groups.ts'
import { batchesFor } from './batches.ts'
import { type Counts, needsEvents, needsUsers } from './counts.ts'
import { distinctUsers, distinctUsersOfGroups } from './distinct-users.ts'
import { countEvents } from './events.ts'
import type { EventSegmentsQuery } from './query.ts'

/** What is counted of one group, or of everything: on each day of the period, in all of it, and in all of the one before. */
export interface GroupCounts {
  readonly values: GroupValues
  readonly days: readonly Counts[]
  readonly whole: Counts
  readonly before: Counts
}

/** Counts these groups, 20 at most, and nothing else: of the period and of the one before in one go. */
export function* countGroups(
  columns: Columns,
  query: EventSegmentsQuery,
  groups: readonly GroupValues[],
): Generator<void, GroupCounts[]> {
  const { filters, groupBy, from } = query
  const isGrouped = groupBy.length > 0
  const grouping = isGrouped ? groupingByText(columns, groupBy, closedDictionary(groups)) : null
  const selection = createSelection(columns, { filters, grouping })
  const tally = createTally(query, { groups: groups.length, isGrouped, users: columns.userCount })
  for (const batch of batchesFor(columns, selection, query, query)) {
    tally.add(batch, batch.day - from)
    yield
  }
  for (const batch of batchesFor(columns, selection, query, query.before)) {
    tally.add(batch, null)
    yield
  }
  return groups.map((values, group) => ({ values, ...tally.countsOf(group) }))
}

interface Size {
  readonly groups: number
  readonly isGrouped: boolean
  readonly users: number
}

/** Batches come in order of days; those of the period before, as if they were one more day, after all others. */
function createTally(query: EventSegmentsQuery, { groups, isGrouped, users }: Size) {
  const { mode } = query
  const days = daysIn(query)
  const stretches = [...days, null].map(() => ({ users: new Uint32Array(groups), events: new Uint32Array(groups) }))
  const [ever, unasked] = [new Uint32Array(groups), new Uint32Array(groups)]
  const distinct = (isGrouped ? distinctUsersOfGroups : distinctUsers)(needsUsers(mode) ? users : 0)

  function add({ rows, counts }: Batch, day: number | null) {
    const place = day ?? days.length
    const counted = stretches[place] as (typeof stretches)[number]
    if (needsEvents(mode)) countEvents(rows, counts, counted.events)
    if (needsUsers(mode)) {
      distinct.add(rows, place + 1, { inStretch: counted.users, ever: day === null ? unasked : ever })
    }
  }

  function countsOf(group: number): Omit<GroupCounts, 'values'> {
    const all = stretches.map(({ users, events }) => ({
      users: users[group] as number,
      events: events[group] as number,
    }))
    const before = all.pop() as Counts
    return { days: all, whole: { users: ever[group] as number, events: sumOf(all) }, before }
  }

  return { add, countsOf }
}

function sumOf(days: readonly Counts[]): number {
  return days.reduce((sum, { events }) => sum + events, 0)
}
