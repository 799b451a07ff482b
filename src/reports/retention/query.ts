import type { Share } from '../../selection/share.ts'
import type { Filter, Property } from '../filters/filter.ts'
import type { GroupValues } from '../groups.ts'
import type { Mode } from './contract.ts'

/** What is meant by a question about who comes back. */
export interface RetentionQuery {
  /** Whose first event makes a user part of a cohort; null for any event. */
  readonly startEvent: string | null
  /** Null for any event. */
  readonly returnEvent: string | null
  readonly mode: Mode
  /** These and the groups look at that first event. */
  readonly filters: readonly Filter[]
  readonly groupBy: Property | null
  /** The first day of each interval, and the day after the last one: n + 1 days for n intervals, none for none. */
  readonly bounds: readonly number[]
  /** The groups to tell of, where they were chosen before; null for the largest. */
  readonly groups: readonly GroupValues[] | null
}

/** What is meant by a question for the users of a share of all groups. */
export interface GroupSizesQuery extends RetentionQuery {
  readonly share: Share
}
