import type { Share } from '../selection/share.ts'
import { createGroupRanking, type GroupValues } from './groups.ts'
import { askInShares, createAnswer, MAX_ANSWER_CHARACTERS } from './shares.ts'

// Where an application has several objects none of them knows which groups have most users in all: that is asked first.

/** A group, and its users that count. */
export interface GroupUsers {
  readonly values: GroupValues
  readonly users: number
}

/** Of a share of all groups; null where they are too many for one answer. */
export type MaybeGroups = readonly GroupUsers[] | null

/** Takes the users of a group; its values are looked up only where they are asked for. */
export type TakeGroup = (users: number, valuesOf: () => GroupValues, ordinal: number) => void

/** What one object tells: every group that is counted. */
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

/** What all objects tell: no user is in two parts. */
export function largestInAll(parts: readonly MaybeGroups[]): MaybeGroups {
  return parts.includes(null) ? null : largestOf(sumUp(parts.flatMap((part) => part ?? [])))
}

/** The values of the groups that are the largest in all objects together. */
export async function findLargestGroups(ask: (share: Share) => Promise<MaybeGroups>): Promise<GroupValues[]> {
  const answers = await askInShares(ask)
  return largestOf(answers.flat()).map(({ values }) => values)
}

function largestOf(groups: readonly GroupUsers[]): GroupUsers[] {
  const ranking = createGroupRanking<GroupUsers>()
  for (const group of groups) ranking.offer(group.users, () => group)
  return ranking.items()
}

function sumUp(groups: readonly GroupUsers[]): GroupUsers[] {
  const same = Map.groupBy(groups, ({ values }) => JSON.stringify(values))
  return [...same.values()].map((parts) => parts.reduce((a, b) => ({ values: a.values, users: a.users + b.users })))
}
