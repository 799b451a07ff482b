import type { Columns } from '../../columns/columns.ts'
import { NEVER } from '../../columns/first-days.ts'
import { isInShare, type Share } from '../../columns/selection/share.ts'
import type { CohortRule } from '../engine/cohort-rule.ts'
import { type Asking, BOUNDS, type Bounds, type Report } from '../engine/report.ts'
import { askInShares, sumOf } from '../engine/shares.ts'
import { count, record, totalReport } from '../engine/totals.ts'
import { findMembers } from './members.ts'

const cohortSize = record({ users: count })

/** How many users belong to a cohort. */
export const cohortSizeReport = totalReport('cohort size', cohortSize, countMembers, { isLarge: () => true })

function* countMembers(columns: Columns, { rule }: { readonly rule: CohortRule }, bounds = BOUNDS) {
  const members = yield* findStoredMembers(columns, rule, bounds)
  let users = 0
  for (let user = 0; user < members.length; user++) users += members[user] as number
  return { users }
}

interface MembersQuery {
  readonly rule: CohortRule
  /** The share of messenger ids to answer about. */
  readonly share: Share
}

/** The most ids in one answer of one object: 4 MB. */
const MAX_IDS = 500_000

/** The messenger ids of the members of a share; null if they are too many for one answer. */
export const cohortMembersReport: Report<MembersQuery, Float64Array | null, Float64Array | null> = {
  name: 'cohort members',
  isLarge: () => true,
  *part(columns, { rule, share }, bounds = BOUNDS) {
    const members = yield* findStoredMembers(columns, rule, bounds)
    const ids: number[] = []
    for (let user = 0; user < members.length && ids.length <= MAX_IDS; user++) {
      if (members[user] === 0) continue
      const id = columns.telegramIdOf(user)
      if (isInShare(id, share)) ids.push(id)
    }
    return ids.length > MAX_IDS ? null : Float64Array.from(ids)
  },
  result(parts) {
    if (parts.includes(null)) return null
    const ids = new Float64Array(sumOf(parts, (part) => part?.length ?? 0))
    let offset = 0
    for (const part of parts) {
      ids.set(part ?? [], offset)
      offset += part?.length ?? 0
    }
    return ids
  },
}

/** Members with a stored event. Whether other users still have an ordinal depends on when the columns were filled. */
function* findStoredMembers(columns: Columns, rule: CohortRule, bounds: Bounds): Generator<void, Uint8Array> {
  const members = yield* findMembers(columns, rule, bounds)
  const firstDays = yield* columns.firstDays()
  for (let user = 0; user < members.length; user++) if ((firstDays[user] ?? NEVER) === NEVER) members[user] = 0
  return members
}

/** The messenger ids of all members, in no order. */
export async function askForMembers(rule: CohortRule, { ask }: Pick<Asking, 'ask'>): Promise<number[]> {
  const answers = await askInShares((share) => ask(cohortMembersReport, { rule, share }))
  return answers.flatMap((ids) => [...ids])
}
