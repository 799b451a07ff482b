import { compareTexts } from '../../base/text/order.ts'
import { MAX_GROUPS } from '../../columns/selection/filter.ts'
import { createLargest } from './largest.ts'

/** The value of each property that is grouped by; none where nothing is. */
export type GroupValues = readonly string[]

/** What a group is called. */
export function nameOf(values: GroupValues): string {
  return values.join(', ')
}

/** By name, then by the values themselves: different groups may have the same name. */
function compareGroups(a: GroupValues, b: GroupValues): number {
  return compareTexts(nameOf(a), nameOf(b)) || compareValues(a, b)
}

/** Keeps the groups with the largest figures, ties by name. */
export function createGroupRanking<T extends { readonly values: GroupValues }>() {
  return createLargest<T>(MAX_GROUPS, (a, b) => compareGroups(a.values, b.values))
}

/** Adds up what several objects counted of the same group, of groups with equally many values. */
export function addUpGroups<T extends { readonly values: GroupValues }>(
  groups: readonly T[],
  add: (a: T, b: T) => T,
): T[] {
  const sums = new Map<string, T>()
  for (const group of groups) {
    const key = group.values.length === 1 ? (group.values[0] as string) : JSON.stringify(group.values)
    const sum = sums.get(key)
    sums.set(key, sum ? add(sum, group) : group)
  }
  return [...sums.values()]
}

/** By the first value, then by the second. */
export function compareValues(a: GroupValues, b: GroupValues): number {
  const differing = a.findIndex((value, index) => value !== b[index])
  return differing === -1 ? 0 : compareTexts(a[differing] ?? '', b[differing] ?? '')
}
