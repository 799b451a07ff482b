import { isGroupInShare } from '../../columns/selection/dictionary.ts'
import type { Grouping } from '../../columns/selection/grouping.ts'
import { halvesOf, type Share, WHOLE } from '../../columns/selection/share.ts'
import { createGroupRanking, type GroupValues, mergeRanked, type RankedGroups, rankGroups } from './groups.ts'
import { createPace } from './pace.ts'
import type { Report } from './report.ts'
import { askInShares, createAnswer } from './shares.ts'
import { addUpGroups, count, record, same, type TotalOf } from './totals.ts'

// Which groups have the most users. If an application has several objects, none of them knows that: it is a question of its own.

/** A group, and its users that count. */
const groupUsers = record({ values: same<GroupValues>(), users: count })

type GroupUsers = TotalOf<typeof groupUsers>

/** The groups of a share; null if they are too many for one answer. */
type MaybeGroups = readonly GroupUsers[] | null

type MaybeRanked = RankedGroups<GroupUsers> | null

/** What one pass found of the groups of a share. */
export interface FoundGroups {
  readonly groups: Pick<Grouping, 'count' | 'valuesOf'>
  /** By group: its users. Groups without any are none. */
  readonly all: Uint32Array
  /** By group: those of them that count. */
  readonly counted: Uint32Array
}

/** Looks for the groups of a share. Null if they are too many for one pass. */
export type FindGroups<Found extends FoundGroups> = (share: Share) => Generator<void, Found | null>

/** Takes the users of a group; its values are looked up only when needed. */
type TakeGroup = (users: number, valuesOf: () => GroupValues, ordinal: number) => void

/** Takes every group of a share, in several passes if need be. Returns what it found if one pass was enough. */
function* takeGroups<Found extends FoundGroups>(
  find: FindGroups<Found>,
  share: Share,
  take: TakeGroup,
): Generator<void, Found | null> {
  const found = yield* find(share)
  if (found) yield* takeFound(found, share, take)
  else for (const half of halvesOf(share)) yield* takeGroups(find, half, take)
  return found
}

function* takeFound({ groups, all, counted }: FoundGroups, share: Share, take: TakeGroup): Generator<void, void> {
  const pace = createPace()
  for (let group = 0; group < groups.count; group++) {
    if (all[group] === 0 || (share.of > 1 && !isGroupInShare(groups.valuesOf(group), share))) continue
    take(counted[group] as number, () => groups.valuesOf(group), group)
    if (pace.isDueAfterGroup()) yield
  }
}

/** The answer of one object: all its groups of a share. */
export function* collectGroups<Found extends FoundGroups>(
  find: FindGroups<Found>,
  share: Share,
  maxCharacters: number,
): Generator<void, MaybeGroups> {
  const answer = createAnswer<GroupUsers>(maxCharacters)
  yield* takeGroups(find, share, (users, valuesOf) => {
    const values = valuesOf()
    answer.add(values, { values, users })
  })
  return answer.items()
}

interface LargestGroups<Found> {
  /** The ordinals are those of `found`. */
  readonly largest: readonly (GroupUsers & { readonly ordinal: number })[]
  readonly total: number
  /** Null if it took several passes. */
  readonly found: Found | null
}

/** The largest groups of an object that has all users. */
export function* findLargest<Found extends FoundGroups>(
  find: FindGroups<Found>,
): Generator<void, LargestGroups<Found>> {
  const ranking = createGroupRanking<GroupUsers & { readonly ordinal: number }>()
  const found = yield* takeGroups(find, WHOLE, (users, valuesOf, ordinal) =>
    ranking.offer(users, () => ({ values: valuesOf(), users, ordinal })),
  )
  const { groups: largest, total } = ranking.ranked()
  return { largest, total, found }
}

/** A report on the users of the groups of a share. No user is in two parts. */
export function groupUsersReport<Query>(
  name: string,
  part: Report<Query, MaybeGroups, MaybeGroups>['part'],
): Report<Query, MaybeGroups, MaybeRanked> {
  return {
    name,
    isLarge: () => true,
    part,
    result(parts) {
      if (parts.includes(null)) return null
      const groups = parts.flatMap((some) => some ?? [])
      return rankGroups(addUpGroups(groups, groupUsers), ({ users }) => users)
    },
  }
}

/** The values of the groups that are the largest in all objects together. */
export async function askForLargestGroups(
  ask: (share: Share) => Promise<MaybeRanked>,
): Promise<RankedGroups<GroupValues>> {
  return mergeRanked(await askInShares(ask), ({ users }) => users)
}
