import type { Columns } from '../../columns/columns.ts'
import { DICTIONARY_ROOM, isGroupInShare } from '../../selection/dictionary.ts'
import { halvesOf, type Share } from '../../selection/share.ts'
import type { Property } from '../filters/filter.ts'
import { collectGroups, largestInAll, type MaybeGroups, type TakeGroup } from '../group-users.ts'
import type { Report } from '../report.ts'
import { MAX_ANSWER_CHARACTERS } from '../shares.ts'
import type { Cohorts } from './cohorts.ts'
import { allGroups, type EventGroups } from './event-groups.ts'
import { findCohorts } from './find-cohorts.ts'
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

export interface Pass {
  readonly columns: Columns
  readonly query: RetentionQuery
  /** What is held at once; more groups than that go in several passes. */
  readonly room: typeof DICTIONARY_ROOM
}

/** Takes every group of a share that has users. */
export function* countGroupSizes(pass: Pass, share: Share, take: TakeGroup): Generator<void> {
  const found = yield* findCohortsOfGroups(pass, share)
  if (found) return takeSizes(found, take)
  for (const half of halvesOf(share)) yield* countGroupSizes(pass, half, take)
}

export interface CohortsOfGroups {
  readonly cohorts: Cohorts
  readonly groups: EventGroups
  readonly share: Share
}

/** Null where a share has too many groups. */
export function* findCohortsOfGroups(
  { columns, query, room }: Pass,
  share: Share,
): Generator<void, CohortsOfGroups | null> {
  const groups = allGroups(columns, groupedBy(query), { share, room })
  const cohorts = yield* findCohorts(columns, query, groups)
  return groups.isOverfull ? null : { cohorts, groups, share }
}

export function groupedBy({ groupBy }: RetentionQuery): Property {
  if (!groupBy) throw new RangeError('nothing to group by')
  return groupBy
}

export function takeSizes({ cohorts, groups, share }: CohortsOfGroups, take: TakeGroup): void {
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
