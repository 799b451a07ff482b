import type { Columns } from '../../columns/columns.ts'
import { isGroupInShare, openDictionary } from '../../columns/selection/dictionary.ts'
import { type Grouping, groupingByContext, groupingByText, needsDictionary } from '../../columns/selection/grouping.ts'
import { halvesOf, type Share } from '../../columns/selection/share.ts'
import { collectGroups, largestInAll, type MaybeGroups, type TakeGroup } from '../group-users.ts'
import type { Report } from '../report.ts'
import { MAX_ANSWER_CHARACTERS } from '../shares.ts'
import type { FoundProgress, UserProgress } from './progress.ts'
import { BOUNDS, type FunnelCandidatesQuery, type FunnelPass, type FunnelQuery } from './query.ts'
import { findProgress } from './search.ts'

/** Takes every group of a share in which somebody entered, with its users who completed the funnel. */
export function* countCandidates(pass: FunnelPass, share: Share, take: TakeGroup): Generator<void> {
  const found = yield* findProgressOfGroups(pass, share)
  if (found) return takeCandidates(pass.query, found, take)
  for (const half of halvesOf(share)) yield* countCandidates(pass, half, take)
}

interface ProgressOfGroups {
  readonly progress: FoundProgress
  readonly grouping: Grouping
  readonly share: Share
}

/** Null if a share has too many groups. */
export function* findProgressOfGroups(pass: FunnelPass, share: Share): Generator<void, ProgressOfGroups | null> {
  const { columns, query, bounds } = pass
  const grouping = needsDictionary(query.groupBy)
    ? groupingByText(columns, query.groupBy, openDictionary(share, bounds.dictionary))
    : groupingByContext(columns, query.groupBy)
  const progress = yield* findProgress(pass, grouping)
  return grouping.isOverfull ? null : { progress, grouping, share }
}

export function takeCandidates(
  { steps }: FunnelQuery,
  { progress, grouping, share }: ProgressOfGroups,
  take: TakeGroup,
): void {
  const { entered, completed } = countUsers(progress.now, { groups: grouping.count, steps: steps.length })
  for (let group = 0; group < grouping.count; group++) {
    if (entered[group] === 0) continue
    if (share.of > 1 && !isGroupInShare(grouping.valuesOf(group), share)) continue
    take(completed[group] as number, () => grouping.valuesOf(group), group)
  }
}

/** By group. Users of groups outside the share do not count. */
function countUsers({ length, furthest, groups }: UserProgress, counts: { groups: number; steps: number }) {
  const [entered, completed] = [new Uint32Array(counts.groups), new Uint32Array(counts.groups)]
  for (let row = 0; row < length; row++) {
    const group = groups[row] as number
    if (group >= counts.groups) continue
    entered[group] = (entered[group] as number) + 1
    if (furthest[row] === counts.steps) completed[group] = (completed[group] as number) + 1
  }
  return { entered, completed }
}

/** The users of each group of a share who completed a funnel. */
export const funnelCandidatesReport: Report<FunnelCandidatesQuery, MaybeGroups, MaybeGroups> = {
  name: 'headlines of a funnel',
  part: (columns, query) => collectCandidates(columns, query),
  result: largestInAll,
}

export function collectCandidates(
  columns: Columns,
  query: FunnelCandidatesQuery,
  { bounds = BOUNDS, maxCharacters = MAX_ANSWER_CHARACTERS } = {},
): Generator<void, MaybeGroups> {
  return collectGroups((take) => countCandidates({ columns, query, bounds }, query.share, take), maxCharacters)
}
