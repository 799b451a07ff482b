import { compareTexts } from '../../text/order.ts'
import { MAX_GROUPS } from '../filters/filter.ts'
import { createLargest } from '../largest.ts'
import type { GroupValues } from './query.ts'

/** A group, and the users of it who completed the funnel. */
export interface Headline {
  readonly values: GroupValues
  readonly completed: number
}

/** Keeps the groups with most users who completed, ties by name; different groups may have the same name. */
export function createRanking<T extends Headline>() {
  return createLargest<T>(
    MAX_GROUPS,
    (a, b) => compareTexts(nameOf(a.values), nameOf(b.values)) || compareGroups(a.values, b.values),
  )
}

/** What a group is called. */
export function nameOf(values: GroupValues): string {
  return values.join(', ')
}

/** By the first value, then by the second. */
export function compareGroups(a: GroupValues, b: GroupValues): number {
  const place = a.findIndex((value, index) => value !== b[index])
  return place === -1 ? 0 : compareTexts(a[place] ?? '', b[place] ?? '')
}
