import type { DividedPeriod } from '../../base/time/divided-period.ts'
import type { Columns } from '../../columns/columns.ts'
import { closedDictionary } from '../../columns/selection/dictionary.ts'
import { groupingByText } from '../../columns/selection/grouping.ts'
import { createSelection, type Picked, type Selection } from '../../columns/selection/selection.ts'
import type { GroupValues } from '../groups.ts'
import { sumOf } from '../shares.ts'
import { type Counts, countEvents, needsEvents, needsUsers } from './counts.ts'
import { batchesFor, type EventSegmentsQuery } from './query.ts'

/** What is counted in each interval of a period, none where it is undivided, and in all of it. */
export interface PeriodCounts {
  readonly intervals: readonly Counts[]
  readonly whole: Counts
}

/** What is counted of one group, or of everything. */
export interface GroupCounts {
  readonly values: GroupValues
  readonly now: PeriodCounts
  readonly before: PeriodCounts
}

/** Counts these groups, 20 at most, and nothing else: of the period, and of the one that it is compared with. */
export function* countGroups(
  columns: Columns,
  query: EventSegmentsQuery,
  groups: readonly GroupValues[],
): Generator<void, GroupCounts[]> {
  const { filters, groupBy } = query
  const grouping = groupBy.length > 0 ? groupingByText(columns, groupBy, closedDictionary(groups)) : null
  const pass = { columns, query, selection: createSelection(columns, { filters, grouping }), groups: groups.length }
  const now = yield* countPeriod(pass, query.period)
  const before = yield* countPeriod(pass, query.before)
  return groups.map((values, group) => ({ values, now: now(group), before: before(group) }))
}

/** Filters and groups do not narrow who is active. */
export function* countActive(columns: Columns, query: EventSegmentsQuery): Generator<void, GroupCounts> {
  const anything = { ...query, event: null, mode: 'uniques', filters: [], groupBy: [], isFirstTime: false } as const
  const [active] = yield* countGroups(columns, anything, [[]])
  return active as GroupCounts
}

interface CountingPass {
  readonly columns: Columns
  readonly query: EventSegmentsQuery
  readonly selection: Selection
  readonly groups: number
}

/** What is counted of each group by its ordinal. */
function* countPeriod(
  { columns, query, selection, groups }: CountingPass,
  period: DividedPeriod,
): Generator<void, (group: number) => PeriodCounts> {
  const { mode, groupBy } = query
  const isDivided = period.starts.length > 0
  const counted = Array.from({ length: period.starts.length || 1 }, () => ({
    users: new Uint32Array(groups),
    events: new Uint32Array(groups),
  }))
  const ever = new Uint32Array(groups)
  const distinct = (groupBy.length > 0 ? distinctUsersOfGroups : distinctUsers)(
    needsUsers(mode) ? columns.userCount : 0,
  )
  for (const { interval, rows, counts } of batchesFor(columns, selection, query, period)) {
    const { users, events } = counted[interval] as (typeof counted)[number]
    if (needsEvents(mode)) countEvents(rows, counts, events)
    if (needsUsers(mode)) distinct.add(rows, interval + 1, { inInterval: users, ever })
    yield
  }
  return (group) => {
    const all = counted.map(({ users, events }) => ({
      users: users[group] as number,
      events: events[group] as number,
    }))
    const whole = { users: ever[group] as number, events: sumOf(all, ({ events }) => events) }
    return { intervals: isDivided ? all : [], whole }
  }
}

/** Distinct users of intervals. Those of each user come one after another. */
interface DistinctUsers {
  /**
   * Counts the users of some rows: by group those not yet seen in this interval, and of these the ones never seen before.
   * Intervals are numbered from 1 here.
   */
  add(rows: Picked, interval: number, counted: { inInterval: Uint32Array; ever: Uint32Array }): void
}

/** The last interval in which each user was seen says it all. No branches: nobody can foretell who comes back. */
function distinctUsers(users: number): DistinctUsers {
  const lastSeen = new Uint16Array(users)
  return {
    add({ users, from, to }, interval, { inInterval, ever }) {
      let [seenAgain, seenFirst] = [0, 0]
      for (let index = from; index < to; index++) {
        const user = users[index] as number
        const last = lastSeen[user] as number
        lastSeen[user] = interval
        seenAgain += isZero(last ^ interval)
        seenFirst += isZero(last)
      }
      increase(inInterval, 0, to - from - seenAgain)
      increase(ever, 0, seenFirst)
    },
  }
}

/** So many groups fit beside the number of an interval, below 4,096, into 32 bits. */
const GROUP_BITS = 20
const ALL_GROUPS = 2 ** GROUP_BITS - 1

/** Of each user, as bits, the groups of the last interval and those of all times. */
function distinctUsersOfGroups(users: number): DistinctUsers {
  const lastSeen = new Uint32Array(users)
  const seenEver = new Uint32Array(users)
  return {
    add({ users, groups, from, to }, interval, { inInterval, ever }) {
      if (!groups) throw new TypeError('rows without groups')
      const stamp = interval << GROUP_BITS
      for (let index = from; index < to; index++) {
        const user = users[index] as number
        const group = groups[index] as number
        const last = lastSeen[user] as number
        const seen = last & ALL_GROUPS & -isZero((last >>> GROUP_BITS) ^ interval)
        lastSeen[user] = stamp | seen | (1 << group)
        increase(inInterval, group, ~(seen >>> group) & 1)
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
