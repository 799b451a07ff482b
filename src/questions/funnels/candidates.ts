import { openDictionary } from '../../columns/selection/dictionary.ts'
import { groupingByCode, groupingByText, needsDictionary } from '../../columns/selection/grouping.ts'
import { collectGroups, type FindGroups, type FoundGroups, groupUsersReport } from '../engine/group-users.ts'
import { BOUNDS } from '../engine/report.ts'
import type { FoundProgress, UserProgress } from './progress.ts'
import type { FunnelCandidatesQuery, FunnelPass } from './query.ts'
import { findProgress } from './search.ts'

interface ProgressOfGroups extends FoundGroups {
  readonly progress: FoundProgress
}

/** Finds the groups in which somebody entered; those users count who completed the funnel. */
export function searchGroups(pass: FunnelPass): FindGroups<ProgressOfGroups> {
  const { columns, query, bounds } = pass
  return function* (share) {
    const groups = needsDictionary(query.groupBy)
      ? groupingByText(columns, query.groupBy, openDictionary(share, bounds.dictionary))
      : groupingByCode(columns, query.groupBy)
    const progress = yield* findProgress(pass, groups)
    if (groups.isOverfull) return null
    return { progress, groups, ...countUsers(progress.now, { groups: groups.count, steps: query.steps.length }) }
  }
}

/** By group. Users of groups outside the share do not count. */
function countUsers(progress: UserProgress, counts: { groups: number; steps: number }) {
  const [all, counted] = [new Uint32Array(counts.groups), new Uint32Array(counts.groups)]
  const { furthest } = progress
  for (let user = 0; user < furthest.length; user++) {
    const group = progress.groupOf(user)
    if (furthest[user] === 0 || group >= counts.groups) continue
    all[group] = (all[group] as number) + 1
    if (furthest[user] === counts.steps) counted[group] = (counted[group] as number) + 1
  }
  return { all, counted }
}

/** The users of each group of a share who completed a funnel. The name is that of earlier releases. */
export const funnelCandidatesReport = groupUsersReport<FunnelCandidatesQuery>(
  'headlines of a funnel',
  (columns, query, bounds = BOUNDS) =>
    collectGroups(searchGroups({ columns, query, bounds }), query.share, bounds.answerCharacters),
)
