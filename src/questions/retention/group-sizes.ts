import type { Columns } from '../../columns/columns.ts'
import { OUTSIDE } from '../../columns/selection/dictionary.ts'
import type { EventProperty } from '../../columns/selection/filter.ts'
import {
  collectGroups,
  type FindGroups,
  type FoundGroups,
  findLargest,
  groupUsersReport,
} from '../engine/group-users.ts'
import type { GroupValues } from '../engine/groups.ts'
import { BOUNDS, type Bounds } from '../engine/report.ts'
import { type Cohorts, findCohorts } from './cohorts.ts'
import { allGroups, chosenGroups } from './event-groups.ts'
import type { GroupSizesQuery, RetentionQuery } from './query.ts'

interface RetentionPass {
  readonly columns: Columns
  readonly query: RetentionQuery
  readonly bounds: Bounds
}

interface CohortsOfGroups extends FoundGroups {
  readonly cohorts: Cohorts
}

/** Finds the groups that have users in any cohort. */
function searchGroups({ columns, query, bounds }: RetentionPass, groupBy: EventProperty): FindGroups<CohortsOfGroups> {
  return function* (share) {
    const groups = allGroups(columns, groupBy, { share, room: bounds.dictionary })
    const cohorts = yield* findCohorts(columns, query, groups)
    if (groups.isOverfull) return null
    const users = usersOfGroups(cohorts, groups.count)
    return { cohorts, groups, all: users, counted: users }
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

/** The users of each group of a share in all cohorts together. */
export const groupSizesReport = groupUsersReport<GroupSizesQuery>(
  'group sizes of retention',
  (columns, query, bounds = BOUNDS) =>
    collectGroups(searchGroups({ columns, query, bounds }, query.groupBy), query.share, bounds.answerCharacters),
)

/** Groups, and the cohorts of users with the index of each user's group. */
export interface GroupedCohorts {
  readonly groups: readonly GroupValues[]
  /** The number of all groups; null where nothing is grouped, or where the groups were chosen before. */
  readonly total: number | null
  readonly cohorts: Cohorts
}

/** Of the groups of the query, else of the largest; of none where nothing is grouped. */
export function* findGroupedCohorts(pass: RetentionPass): Generator<void, GroupedCohorts> {
  const { columns, query } = pass
  if (!query.groupBy) return { groups: [], total: null, cohorts: yield* findCohorts(columns, query, null) }
  if (query.groups) return yield* findCohortsOf(pass, query.groupBy, query.groups)
  // Which groups are the largest is known once everybody's is: then that is there already, unless there are too many groups.
  const { largest, total, found } = yield* findLargest(searchGroups(pass, query.groupBy))
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
