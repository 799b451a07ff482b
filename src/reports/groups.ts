import { compareTexts } from '../text/order.ts'
import { MAX_GROUPS } from './filters/filter.ts'
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

/** By the first value, then by the second. */
export function compareValues(a: GroupValues, b: GroupValues): number {
  const place = a.findIndex((value, index) => value !== b[index])
  return place === -1 ? 0 : compareTexts(a[place] ?? '', b[place] ?? '')
}
