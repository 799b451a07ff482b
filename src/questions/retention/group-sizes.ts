import type { Columns } from '../../columns/columns.ts'
import { OUTSIDE } from '../../columns/selection/dictionary.ts'
import type { EventProperty } from '../../columns/selection/filter.ts'
import type { GroupValues } from '../engine/groups.ts'
import { type FindGroups, type FoundGroups, findLargest, groupsReport } from '../engine/ranked.ts'
import type { Bounds } from '../engine/report.ts'
import { count, record, type TotalOf } from '../engine/totals.ts'
import { type Cohorts, findCohorts } from './cohorts.ts'
import { allGroups, chosenGroups } from './event-groups.ts'
import type { CohortCell } from './finished.ts'
import { type GroupSizesQuery, OUTSIDE_INTERVALS, type RetentionQuery } from './query.ts'

interface RetentionPass {
  readonly columns: Columns
  readonly query: RetentionQuery
  readonly bounds: Bounds
}

/** The users of a group in all cohorts together. */
const groupSize = record({ users: count })

type GroupSize = TotalOf<typeof groupSize>

const sizeOf = ({ users }: GroupSize) => users

interface CohortsOfGroups extends FoundGroups<GroupSize> {
  readonly cohorts: Cohorts
}

/** Finds the groups that have users in any cohort. */
function searchGroups(
  { columns, query, bounds }: RetentionPass,
  groupBy: EventProperty,
): FindGroups<GroupSize, CohortsOfGroups> {
  return function* (share) {
    const all = allGroups(columns, groupBy, { share, room: bounds.dictionary })
    const cohorts = yield* findCohorts(columns, query, all)
    const { groups } = all
    if (groups.isOverfull) return null
    const users = usersOfGroups(cohorts, groups.count)
    return { cohorts, groups, factsOf: (group) => (users[group] === 0 ? null : { users: users[group] as number }) }
  }
}

function usersOfGroups({ intervals, groups }: Cohorts, count: number): Uint32Array {
  const users = new Uint32Array(count)
  intervals.forEach((interval, user) => {
    const group = groups?.[user] ?? count
    if (interval >= 0 && group < count) users[group] = (users[group] as number) + 1
  })
  return users
}

/** The sizes of the groups of a share. */
export const groupSizesReport = groupsReport<GroupSizesQuery, GroupSize>({
  name: 'group sizes of retention',
  find: (pass) => searchGroups(pass, pass.query.groupBy),
  facts: groupSize,
  figureOf: sizeOf,
})

/** The groups of an answer, and the cohorts of users with the index of each user's group. */
export interface GroupedCohorts {
  readonly groups: readonly GroupValues[]
  /** The number of all groups; null if nothing is grouped, or if the groups were already chosen. */
  readonly total: number | null
  readonly cohorts: Cohorts
}

/** Finds the cohorts and groups of the query: its own groups, else the largest, or none if nothing is grouped. */
export function* findGroupedCohorts(pass: RetentionPass): Generator<void, GroupedCohorts> {
  const { columns, query } = pass
  if (!query.groupBy) return { groups: [], total: null, cohorts: yield* findCohorts(columns, query, null) }
  if (query.groups) return yield* findCohortsOf(pass, query.groupBy, query.groups)
  // Which groups are the largest is known once everybody's is: then that is there already, unless there are too many groups.
  const { largest, total, found } = yield* findLargest(searchGroups(pass, query.groupBy), sizeOf)
  const groups = largest.map(({ values }) => values)
  if (!found) return { ...(yield* findCohortsOf(pass, query.groupBy, groups)), total }
  const indexes = new Uint32Array(found.groups.count).fill(OUTSIDE)
  for (const [index, { ordinal }] of largest.entries()) indexes[ordinal] = index
  const byIndex = found.cohorts.groups?.map((ordinal) => indexes[ordinal] ?? OUTSIDE) ?? null
  return { groups, total, cohorts: { ...found.cohorts, groups: byIndex } }
}

function* findCohortsOf(
  { columns, query }: RetentionPass,
  groupBy: EventProperty,
  groups: readonly GroupValues[],
): Generator<void, GroupedCohorts> {
  return { groups, total: null, cohorts: yield* findCohorts(columns, query, chosenGroups(columns, groupBy, groups)) }
}

/** The cohorts that a cell counts. All users of other cohorts and groups are in none. */
export function* cohortsOf(
  columns: Columns,
  query: RetentionQuery,
  { cohort, rows }: CohortCell,
  bounds: Bounds,
): Generator<void, Cohorts> {
  const among = { first: cohort ?? 0, last: Math.min(cohort ?? rows, rows - 1) }
  const { cohorts } = yield* findGroupedCohorts({ columns, query: { ...query, among }, bounds })
  const { intervals, groups } = cohorts
  // The only group has ordinal 0.
  if (groups)
    for (let user = 0; user < groups.length; user++) if (groups[user] !== 0) intervals[user] = OUTSIDE_INTERVALS
  return cohorts
}
