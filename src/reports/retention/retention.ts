import type { Columns } from '../../columns/columns.ts'
import { DICTIONARY_ROOM } from '../../selection/dictionary.ts'
import { createGroupRanking, type GroupValues } from '../groups.ts'
import type { Report } from '../report.ts'
import { findGroupedCohorts } from './grouped-cohorts.ts'
import type { RetentionQuery } from './query.ts'
import { type CohortCounts, countReturns } from './returns.ts'
import { timetableOf } from './timetable.ts'

/** The users of a group by cohorts, and how many of them came back. */
interface GroupCounts extends CohortCounts {
  readonly values: GroupValues
}

export interface Retention {
  readonly all: CohortCounts
  /** Those with most users first; none where nothing is grouped. */
  readonly groups: readonly GroupCounts[]
}

export const retentionReport: Report<RetentionQuery, Retention, Retention> = {
  name: 'retention',
  part: (columns, query) => followCohorts(columns, query),
  result(parts) {
    const [first] = parts as [Retention]
    const ranking = createGroupRanking<GroupCounts>()
    for (const [place, { values }] of first.groups.entries()) {
      const counts = sumUp(parts.map(({ groups }) => groups[place] as GroupCounts))
      const users = counts.users.reduce((sum, count) => sum + count, 0)
      if (users > 0) ranking.offer(users, () => ({ values, ...counts }))
    }
    return { all: sumUp(parts.map(({ all }) => all)), groups: ranking.items() }
  },
}

/** Of different users: no user is in two parts. */
function sumUp(parts: readonly CohortCounts[]): CohortCounts {
  return parts.reduce((a, b) => ({ users: sumOf(a.users, b.users), returned: sumOf(a.returned, b.returned) }))
}

function sumOf(a: Uint32Array, b: Uint32Array): Uint32Array {
  return a.map((count, place) => count + (b[place] as number))
}

/** Tells of the groups that are asked for, else of the largest. */
export function* followCohorts(
  columns: Columns,
  query: RetentionQuery,
  room = DICTIONARY_ROOM,
): Generator<void, Retention> {
  const timetable = timetableOf(query.bounds)
  const { groups, cohorts } = yield* findGroupedCohorts({ columns, query, room })
  const counts = yield* countReturns({ columns, query, timetable, cohorts, groups: groups.length })
  const [all, ...ofGroups] = counts as [CohortCounts, ...CohortCounts[]]
  return { all, groups: ofGroups.map((own, place) => ({ values: groups[place] as GroupValues, ...own })) }
}
