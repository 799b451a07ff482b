import { daysIn } from '../../base/time/period.ts'
import type { Columns } from '../../columns/columns.ts'
import type { DayBatch } from '../../columns/selection/batches.ts'
import { closedDictionary } from '../../columns/selection/dictionary.ts'
import { groupingByText } from '../../columns/selection/grouping.ts'
import { createSelection } from '../../columns/selection/selection.ts'
import { distinctUsers, distinctUsersOfGroups } from '../distinct-users.ts'
import type { GroupValues } from '../groups.ts'
import { type Counts, countEvents, needsEvents, needsUsers } from './counts.ts'
import { batchesFor, type EventSegmentsQuery } from './query.ts'

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
  const counter = createGroupCounter(query, { groups: groups.length, isGrouped, users: columns.userCount })
  for (const batch of batchesFor(columns, selection, query, query)) {
    counter.add(batch, batch.day - from)
    yield
  }
  for (const batch of batchesFor(columns, selection, query, query.before)) {
    counter.add(batch, null)
    yield
  }
  return groups.map((values, group) => ({ values, ...counter.countsOf(group) }))
}

/** Filters and groups do not narrow who is active. */
export function* countActive(columns: Columns, query: EventSegmentsQuery): Generator<void, GroupCounts> {
  const anything = { ...query, event: null, mode: 'uniques', filters: [], groupBy: [] } as const
  const [active] = yield* countGroups(columns, anything, [[]])
  return active as GroupCounts
}

interface Size {
  readonly groups: number
  readonly isGrouped: boolean
  readonly users: number
}

/** Batches come in order of days; those of the period before, as if they were one more day, after all others. */
function createGroupCounter(query: EventSegmentsQuery, { groups, isGrouped, users }: Size) {
  const { mode } = query
  const days = daysIn(query)
  const spans = [...days, null].map(() => ({ users: new Uint32Array(groups), events: new Uint32Array(groups) }))
  const [ever, ignored] = [new Uint32Array(groups), new Uint32Array(groups)]
  const distinct = (isGrouped ? distinctUsersOfGroups : distinctUsers)(needsUsers(mode) ? users : 0)

  function add({ rows, counts }: DayBatch, day: number | null) {
    const index = day ?? days.length
    const counted = spans[index] as (typeof spans)[number]
    if (needsEvents(mode)) countEvents(rows, counts, counted.events)
    if (needsUsers(mode)) {
      distinct.add(rows, index + 1, { inSpan: counted.users, ever: day === null ? ignored : ever })
    }
  }

  function countsOf(group: number): Omit<GroupCounts, 'values'> {
    const all = spans.map(({ users, events }) => ({
      users: users[group] as number,
      events: events[group] as number,
    }))
    const before = all.pop() as Counts
    return { days: all, whole: { users: ever[group] as number, events: totalEvents(all) }, before }
  }

  return { add, countsOf }
}

function totalEvents(days: readonly Counts[]): number {
  return days.reduce((sum, { events }) => sum + events, 0)
}
