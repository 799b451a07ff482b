import type { Columns } from '../../columns/columns.ts'
import { DICTIONARY_ROOM, isGroupInShare, OUTSIDE } from '../../columns/selection/dictionary.ts'
import type { EventProperty } from '../../columns/selection/filter.ts'
import { halvesOf, type Share, WHOLE } from '../../columns/selection/share.ts'
import { collectGroups, type GroupUsers, largestInAll, type MaybeGroups, type TakeGroup } from '../group-users.ts'
import { createGroupRanking, type GroupValues } from '../groups.ts'
import type { Report } from '../report.ts'
import { MAX_ANSWER_CHARACTERS } from '../shares.ts'
import { type Cohorts, findCohorts } from './cohorts.ts'
import { allGroups, chosenGroups, type SegmentGroups } from './event-groups.ts'
import type { GroupSizesQuery, RetentionQuery } from './query.ts'

/** The users of each group of a share in all cohorts together. */
export const groupSizesReport: Report<GroupSizesQuery, MaybeGroups, MaybeGroups> = {
  name: 'group sizes of retention',
  part: (columns, query) => collectGroupSizes(columns, query),
  result: largestInAll,
}

export function collectGroupSizes(
  columns: Columns,
  query: GroupSizesQuery,
  { room = DICTIONARY_ROOM, maxCharacters = MAX_ANSWER_CHARACTERS } = {},
): Generator<void, MaybeGroups> {
  return collectGroups((take) => countGroupSizes({ columns, query, room }, query.share, take), maxCharacters)
}

export interface RetentionPass {
  readonly columns: Columns
  readonly query: RetentionQuery
  /** What is held at once; more groups than that go in several passes. */
  readonly room: typeof DICTIONARY_ROOM
}

/** Takes every group of a share that has users. */
function* countGroupSizes(pass: RetentionPass, share: Share, take: TakeGroup): Generator<void> {
  const found = yield* findCohortsOfGroups(pass, share)
  if (found) return takeSizes(found, take)
  for (const half of halvesOf(share)) yield* countGroupSizes(pass, half, take)
}

interface CohortsOfGroups {
  readonly cohorts: Cohorts
  readonly groups: SegmentGroups
  readonly share: Share
}

/** Null where a share has too many groups. */
function* findCohortsOfGroups(
  { columns, query, room }: RetentionPass,
  share: Share,
): Generator<void, CohortsOfGroups | null> {
  const groups = allGroups(columns, groupedBy(query), { share, room })
  const cohorts = yield* findCohorts(columns, query, groups)
  return groups.isOverfull ? null : { cohorts, groups, share }
}

function groupedBy({ groupBy }: RetentionQuery): EventProperty {
  if (!groupBy) throw new RangeError('nothing to group by')
  return groupBy
}

function takeSizes({ cohorts, groups, share }: CohortsOfGroups, take: TakeGroup): void {
  for (const [group, users] of usersOfGroups(cohorts, groups.count).entries()) {
    if (users === 0 || (share.of > 1 && !isGroupInShare(groups.valuesOf(group), share))) continue
    take(users, () => groups.valuesOf(group), group)
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

/** Groups, and the index of the group of each user. */
interface GroupedCohorts {
  readonly groups: readonly GroupValues[]
  readonly cohorts: Cohorts
}

/** Of the groups of the query, else of the largest; of none where nothing is grouped. */
export function* findGroupedCohorts(pass: RetentionPass): Generator<void, GroupedCohorts> {
  const { columns, query } = pass
  if (query.groupBy) return yield* query.groups ? findCohortsOf(pass, query.groups) : findLargest(pass)
  const cohorts = yield* findCohorts(columns, query, null)
  return { groups: [], cohorts }
}

function* findCohortsOf(
  { columns, query }: RetentionPass,
  groups: readonly GroupValues[],
): Generator<void, GroupedCohorts> {
  const cohorts = yield* findCohorts(columns, query, chosenGroups(columns, groupedBy(query), groups))
  return { groups, cohorts }
}

/** Which groups are the largest is known once everybody's is: then that is there already, unless there are too many groups. */
function* findLargest(pass: RetentionPass): Generator<void, GroupedCohorts> {
  const ranking = createGroupRanking<GroupUsers & { readonly ordinal: number }>()
  const offer: TakeGroup = (users, valuesOf, ordinal) =>
    ranking.offer(users, () => ({ values: valuesOf(), users, ordinal }))
  const found = yield* findCohortsOfGroups(pass, WHOLE)
  if (found) takeSizes(found, offer)
  else for (const half of halvesOf(WHOLE)) yield* countGroupSizes(pass, half, offer)
  const largest = ranking.items()
  const groups = largest.map(({ values }) => values)
  if (!found) return yield* findCohortsOf(pass, groups)
  const places = new Uint32Array(found.groups.count).fill(OUTSIDE)
  for (const [index, { ordinal }] of largest.entries()) places[ordinal] = index
  return { groups, cohorts: withPlaces(found.cohorts, places) }
}

/** The same with the places of groups instead of their ordinals. */
function withPlaces(cohorts: Cohorts, places: Uint32Array): Cohorts {
  return { ...cohorts, groups: cohorts.groups?.map((ordinal) => places[ordinal] ?? OUTSIDE) ?? null }
}
