import type { Columns } from '../../columns/columns.ts'
import { DICTIONARY_ROOM, isGroupInShare, openDictionary } from '../../selection/dictionary.ts'
import { type Grouping, groupingByContext, groupingByText, needsDictionary } from '../../selection/grouping.ts'
import { halvesOf, type Share } from '../../selection/share.ts'
import type { TakeGroup } from '../group-users.ts'
import type { Found } from './found.ts'
import type { FunnelQuery } from './query.ts'
import { findWays } from './search.ts'
import type { Ways } from './ways.ts'

/** What a question holds at once; what is more than that goes in several passes. Tests make it small. */
export interface Bounds {
  readonly dictionary: { readonly groups: number; readonly characters: number }
  /** Entries of the period that are followed at once (day by day: users); as many as there is room for where it is not said. */
  readonly entries?: number
}

export const BOUNDS: Bounds = { dictionary: DICTIONARY_ROOM }

export interface Pass {
  readonly columns: Columns
  readonly query: FunnelQuery
  readonly bounds: Bounds
}

/** Takes every group of a share in which somebody entered, with its users who completed the funnel. */
export function* countHeadlines(pass: Pass, share: Share, take: TakeGroup): Generator<void> {
  const found = yield* findWaysOfGroups(pass, share)
  if (found) return takeHeadlines(pass.query, found, take)
  for (const half of halvesOf(share)) yield* countHeadlines(pass, half, take)
}

interface WaysOfGroups {
  readonly ways: Found
  readonly grouping: Grouping
  readonly share: Share
}

/** Null where a share has too many groups. */
export function* findWaysOfGroups(pass: Pass, share: Share): Generator<void, WaysOfGroups | null> {
  const { columns, query, bounds } = pass
  const grouping = needsDictionary(query.groupBy)
    ? groupingByText(columns, query.groupBy, openDictionary(share, bounds.dictionary))
    : groupingByContext(columns, query.groupBy)
  const ways = yield* findWays(pass, grouping)
  return grouping.isOverfull ? null : { ways, grouping, share }
}

export function takeHeadlines({ steps }: FunnelQuery, { ways, grouping, share }: WaysOfGroups, take: TakeGroup): void {
  const { entered, completed } = countUsers(ways.now, { groups: grouping.count, steps: steps.length })
  for (let group = 0; group < grouping.count; group++) {
    if (entered[group] === 0) continue
    if (share.of > 1 && !isGroupInShare(grouping.valuesOf(group), share)) continue
    take(completed[group] as number, () => grouping.valuesOf(group), group)
  }
}

/** By group. Users of groups outside of the share are counted nowhere. */
function countUsers({ length, furthest, groups }: Ways, counts: { groups: number; steps: number }) {
  const [entered, completed] = [new Uint32Array(counts.groups), new Uint32Array(counts.groups)]
  for (let way = 0; way < length; way++) {
    const group = groups[way] as number
    if (group >= counts.groups) continue
    entered[group] = (entered[group] as number) + 1
    if (furthest[way] === counts.steps) completed[group] = (completed[group] as number) + 1
  }
  return { entered, completed }
}
