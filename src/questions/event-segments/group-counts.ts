import type { DividedPeriod } from '../../base/time/divided-period.ts'
import type { Columns } from '../../columns/columns.ts'
import { batchesOf } from '../../columns/selection/batches.ts'
import { closedDictionary } from '../../columns/selection/dictionary.ts'
import { groupingByText } from '../../columns/selection/grouping.ts'
import { createSelection, type Selection } from '../../columns/selection/selection.ts'
import { distinctUsers, distinctUsersOfGroups } from '../engine/distinct-users.ts'
import type { GroupValues } from '../engine/groups.ts'
import { createPace } from '../engine/pace.ts'
import { sumOf } from '../engine/shares.ts'
import { list, record, same, type TotalOf } from '../engine/totals.ts'
import { countEvents, needsEvents, needsUsers, segmentCounts } from './counts.ts'
import { type EventSegmentsQuery, toBatchParams } from './query.ts'

/** What is counted in each interval of a period, none where it is undivided, and in all of it. */
const periodCounts = record({ intervals: list(segmentCounts), whole: segmentCounts })

export type PeriodCounts = TotalOf<typeof periodCounts>

/** What is counted of one group, or of everything. */
export const groupCounts = record({ values: same<GroupValues>(), now: periodCounts, before: periodCounts })

export type GroupCounts = TotalOf<typeof groupCounts>

/** Counts only these groups, 20 at most, in the period and in the one that it is compared with. */
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

/** Counts active users, whatever the filters and groups of the question. */
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

/** Counts a period. Returns a function from a group's ordinal to its counts. */
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
  const pace = createPace()
  for (const { interval, rows, counts, looked } of batchesOf(columns, selection, toBatchParams(query), period)) {
    const { users, events } = counted[interval] as (typeof counted)[number]
    if (needsEvents(mode)) countEvents(rows, counts, events)
    if (needsUsers(mode)) distinct.add(rows, interval + 1, { inSpan: users, ever })
    if (pace.isDue(looked)) yield
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
