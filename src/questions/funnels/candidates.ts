import { groupingOfShare } from '../../columns/selection/grouping.ts'
import { type FindGroups, type FoundGroups, groupsReport } from '../engine/ranked.ts'
import { count, record, type TotalOf } from '../engine/totals.ts'
import type { FoundProgress, UserProgress } from './progress.ts'
import type { FunnelCandidatesQuery, FunnelPass } from './query.ts'
import { findProgress } from './search.ts'

/** The users of a group who completed a funnel. */
const completion = record({ users: count })

type Completed = TotalOf<typeof completion>

export const completedOf = ({ users }: Completed) => users

interface ProgressOfGroups extends FoundGroups<Completed> {
  readonly progress: FoundProgress
}

/** Finds the groups in which somebody entered, and how many of their users completed the funnel. */
export function searchGroups(pass: FunnelPass): FindGroups<Completed, ProgressOfGroups> {
  const { columns, query, bounds } = pass
  return function* (share) {
    const groups = groupingOfShare(columns, query.groupBy, { share, room: bounds.dictionary })
    const progress = yield* findProgress(pass, groups)
    if (groups.isOverfull) return null
    const { all, counted } = countUsers(progress.now, { groups: groups.count, steps: query.steps.length })
    return { progress, groups, factsOf: (group) => (all[group] === 0 ? null : { users: counted[group] as number }) }
  }
}

/** Counts users who entered, and those who completed, per group. Groups outside the share are skipped. */
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

/** The users of each group of a share who completed a funnel. The report keeps its name of earlier releases. */
export const funnelCandidatesReport = groupsReport<FunnelCandidatesQuery, Completed>({
  name: 'headlines of a funnel',
  find: searchGroups,
  facts: completion,
  figureOf: completedOf,
})
