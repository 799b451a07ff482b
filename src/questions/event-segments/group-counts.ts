import { daysIn } from '../../base/time/period.ts'
import type { Columns } from '../../columns/columns.ts'
import type { DayBatch } from '../../columns/selection/batches.ts'
import { closedDictionary } from '../../columns/selection/dictionary.ts'
import { groupingByText } from '../../columns/selection/grouping.ts'
import { createSelection, type Picked } from '../../columns/selection/selection.ts'
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

/** Distinct users of spans of time, which come one after another. */
interface DistinctUsers {
  /**
   * Counts the users of some rows: by group those not yet seen in this span, and of these the ones never seen before.
   * Spans are numbered from 1.
   */
  add(rows: Picked, span: number, counted: { inSpan: Uint32Array; ever: Uint32Array }): void
}

/** The last span in which each user was seen says it all. No branches: nobody can foretell who comes back. */
function distinctUsers(users: number): DistinctUsers {
  const lastSeen = new Uint16Array(users)
  return {
    add({ users, from, to }, span, { inSpan, ever }) {
      let [seenAgain, seenFirst] = [0, 0]
      for (let index = from; index < to; index++) {
        const user = users[index] as number
        const last = lastSeen[user] as number
        lastSeen[user] = span
        seenAgain += isZero(last ^ span)
        seenFirst += isZero(last)
      }
      increase(inSpan, 0, to - from - seenAgain)
      increase(ever, 0, seenFirst)
    },
  }
}

/** So many groups fit beside the number of a span into 32 bits. */
const GROUP_BITS = 20
const ALL_GROUPS = 2 ** GROUP_BITS - 1

/** Of each user, as bits, the groups of the last span and those of all times. */
function distinctUsersOfGroups(users: number): DistinctUsers {
  const lastSeen = new Uint32Array(users)
  const seenEver = new Uint32Array(users)
  return {
    add({ users, groups, from, to }, span, { inSpan, ever }) {
      if (!groups) throw new TypeError('rows without groups')
      const stamp = span << GROUP_BITS
      for (let index = from; index < to; index++) {
        const user = users[index] as number
        const group = groups[index] as number
        const last = lastSeen[user] as number
        const seen = last & ALL_GROUPS & -isZero((last >>> GROUP_BITS) ^ span)
        lastSeen[user] = stamp | seen | (1 << group)
        increase(inSpan, group, ~(seen >>> group) & 1)
        const known = seenEver[user] as number
        seenEver[user] = known | (1 << group)
        increase(ever, group, ~(known >>> group) & 1)
      }
    },
  }
}

/** 1 for 0, and 0 for any other number below 2^31. */
function isZero(number: number): number {
  return (number - 1) >>> 31
}

function increase(counts: Uint32Array, index: number, by: number): void {
  counts[index] = (counts[index] as number) + by
}
