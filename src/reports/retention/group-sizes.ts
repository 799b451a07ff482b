import type { Columns } from '../../columns/columns.ts'
import { DICTIONARY_ROOM, isGroupInShare } from '../../selection/dictionary.ts'
import { halvesOf, type Share } from '../../selection/share.ts'
import { MAX_GROUPS, type Property } from '../filters/filter.ts'
import { compareGroups, type GroupValues } from '../groups.ts'
import { createLargest } from '../largest.ts'
import type { Report } from '../report.ts'
import { askInShares, createAnswer, MAX_ANSWER_CHARACTERS } from '../shares.ts'
import type { Cohorts } from './cohorts.ts'
import { allGroups, type EventGroups } from './event-groups.ts'
import { findCohorts } from './find-cohorts.ts'
import type { GroupSizesQuery, RetentionQuery } from './query.ts'

/** A group, and its users in all cohorts together. */
export interface GroupSize {
  readonly values: GroupValues
  readonly users: number
}

/** Of a share of all groups; null where they are too many for one answer. */
type GroupSizes = readonly GroupSize[] | null

/** Asked first where an application has several objects: none of them knows which groups are the largest in all. */
export const groupSizesReport: Report<GroupSizesQuery, GroupSizes, GroupSizes> = {
  name: 'group sizes of retention',
  part: (columns, query) => collectGroupSizes(columns, query),
  result: (parts) => (parts.includes(null) ? null : largestOf(sumUp(parts.flatMap((part) => part ?? [])))),
}

export function* collectGroupSizes(
  columns: Columns,
  query: GroupSizesQuery,
  { room = DICTIONARY_ROOM, maxCharacters = MAX_ANSWER_CHARACTERS } = {},
): Generator<void, GroupSizes> {
  const answer = createAnswer<GroupSize>(maxCharacters)
  yield* countGroupSizes({ columns, query, room }, query.share, (users, valuesOf) => {
    const values = valuesOf()
    answer.add(values, { values, users })
  })
  return answer.items()
}

/** The values of the groups that are the largest in all objects together. */
export async function findLargestGroups(
  query: RetentionQuery,
  ask: (query: GroupSizesQuery) => Promise<GroupSizes>,
): Promise<GroupValues[]> {
  const answers = await askInShares((share) => ask({ ...query, share }))
  return largestOf(answers.flat()).map(({ values }) => values)
}

/** Keeps the groups with most users, ties by name. */
export function createRanking<T extends { readonly values: GroupValues }>() {
  return createLargest<T>(MAX_GROUPS, (a, b) => compareGroups(a.values, b.values))
}

function largestOf(sizes: readonly GroupSize[]): GroupSize[] {
  const largest = createRanking<GroupSize>()
  for (const size of sizes) largest.offer(size.users, () => size)
  return largest.items()
}

function sumUp(sizes: readonly GroupSize[]): GroupSize[] {
  const same = Map.groupBy(sizes, ({ values }) => JSON.stringify(values))
  return [...same.values()].map((parts) => parts.reduce((a, b) => ({ values: a.values, users: a.users + b.users })))
}

export interface Pass {
  readonly columns: Columns
  readonly query: RetentionQuery
  /** What is held at once; more groups than that go in several passes. */
  readonly room: typeof DICTIONARY_ROOM
}

/** Takes the users of a group; its values are looked up only where they are asked for. */
type TakeSize = (users: number, valuesOf: () => GroupValues, ordinal: number) => void

/** Takes every group of a share that has users. */
export function* countGroupSizes(pass: Pass, share: Share, take: TakeSize): Generator<void> {
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

export function takeSizes({ cohorts, groups, share }: CohortsOfGroups, take: TakeSize): void {
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
