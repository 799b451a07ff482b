import { compareTexts } from '../../base/text/order.ts'
import { MAX_GROUPS } from '../../columns/selection/filter.ts'
import { createLargest } from './largest.ts'
import { sumOf } from './shares.ts'

/** The value of each property that is grouped by; none where nothing is. */
export type GroupValues = readonly string[]

/** What a group is called. */
export function nameOf(values: GroupValues): string {
  return values.join(', ')
}

/** Orders groups by name, then by their values: different groups may have the same name. */
function compareGroups(a: GroupValues, b: GroupValues): number {
  return compareTexts(nameOf(a), nameOf(b)) || compareValues(a, b)
}

/** Keeps the groups with the largest figures, ties by name, and counts all. */
export function createGroupRanking<T extends { readonly values: GroupValues }>() {
  const largest = createLargest<T>(MAX_GROUPS, (a, b) => compareGroups(a.values, b.values))
  let total = 0
  return {
    offer(figure: number, make: () => T): void {
      total += 1
      largest.offer(figure, make)
    },
    items: largest.items,
    ranked: (): RankedGroups<T> => ({ groups: largest.items(), total }),
  }
}

/** The largest groups, and how many there are with those beyond them. */
export interface RankedGroups<T> {
  readonly groups: readonly T[]
  readonly total: number
}

export function rankGroups<T extends { readonly values: GroupValues }>(
  groups: readonly T[],
  figureOf: (group: T) => number,
): RankedGroups<T> {
  const ranking = createGroupRanking<T>()
  for (const group of groups) ranking.offer(figureOf(group), () => group)
  return ranking.ranked()
}

/** The values of the largest groups of several shares: no group is in two of them. */
export function mergeRanked<T extends { readonly values: GroupValues }>(
  shares: readonly RankedGroups<T>[],
  figureOf: (group: T) => number,
): RankedGroups<GroupValues> {
  const all = shares.flatMap(({ groups }) => groups)
  const largest = rankGroups(all, figureOf).groups
  return { groups: largest.map(({ values }) => values), total: sumOf(shares, ({ total }) => total) }
}

/** The fields of an answer about its groups as a whole; none where nothing is grouped. */
export function groupFields<Other>({
  total,
  other = null,
}: {
  readonly total: number | null
  readonly other?: Other | null
}) {
  return { ...(total !== null && { groups_total: total }), ...(other !== null && { other }) }
}

/** The name of what sums up the groups beyond the largest. */
export const OTHER = 'other'

/** Groups by their first value, then by their second. */
export function compareValues(a: GroupValues, b: GroupValues): number {
  const differing = a.findIndex((value, index) => value !== b[index])
  return differing === -1 ? 0 : compareTexts(a[differing] ?? '', b[differing] ?? '')
}
