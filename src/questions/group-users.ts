import type { Share } from '../columns/selection/share.ts'
import { addUpGroups, createGroupRanking, type GroupValues } from './groups.ts'
import { askInShares, createAnswer, MAX_ANSWER_CHARACTERS } from './shares.ts'

// If an application has several objects, none of them knows which groups have the most users overall: that is a question of its own.

/** A group, and its users that count. */
export interface GroupUsers {
  readonly values: GroupValues
  readonly users: number
}

/** The groups of a share; null if they are too many for one answer. */
export type MaybeGroups = readonly GroupUsers[] | null

/** Takes the users of a group; its values are looked up only when needed. */
export type TakeGroup = (users: number, valuesOf: () => GroupValues, ordinal: number) => void

/** The answer of one object: all its groups. */
export function* collectGroups(
  count: (take: TakeGroup) => Generator<void>,
  maxCharacters = MAX_ANSWER_CHARACTERS,
): Generator<void, MaybeGroups> {
  const answer = createAnswer<GroupUsers>(maxCharacters)
  yield* count((users, valuesOf) => {
    const values = valuesOf()
    answer.add(values, { values, users })
  })
  return answer.items()
}

/** The answer of all objects. No user is in two parts. */
export function largestInAll(parts: readonly MaybeGroups[]): MaybeGroups {
  return parts.includes(null)
    ? null
    : largestOf(
        addUpGroups(
          parts.flatMap((part) => part ?? []),
          addUsers,
        ),
      )
}

/** The values of the groups that are the largest in all objects together. */
export async function findLargestGroups(ask: (share: Share) => Promise<MaybeGroups>): Promise<GroupValues[]> {
  const answers = await askInShares(ask)
  return largestOf(answers.flat()).map(({ values }) => values)
}

function addUsers(a: GroupUsers, b: GroupUsers): GroupUsers {
  return { values: a.values, users: a.users + b.users }
}

function largestOf(groups: readonly GroupUsers[]): GroupUsers[] {
  const ranking = createGroupRanking<GroupUsers>()
  for (const group of groups) ranking.offer(group.users, () => group)
  return ranking.items()
}
