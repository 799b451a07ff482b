import { MAX_GROUPS } from '../filters/filter.ts'
import { compareGroups, type GroupValues } from '../groups.ts'
import { createLargest } from '../largest.ts'

/** A group, and the users of it who completed the funnel. */
export interface Headline {
  readonly values: GroupValues
  readonly completed: number
}

/** Keeps the groups with most users who completed, ties by name. */
export function createRanking<T extends Headline>() {
  return createLargest<T>(MAX_GROUPS, (a, b) => compareGroups(a.values, b.values))
}
