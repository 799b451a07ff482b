import type { Share } from '../../selection/share.ts'
import type { Period } from '../../time/period.ts'
import type { Filter, Property } from '../filters/filter.ts'
import type { GroupValues } from '../groups.ts'
import type { Mode } from './contract.ts'

/** What is meant by a question about one event. */
export interface EventSegmentsQuery extends Period {
  /** Null for any event. */
  readonly event: string | null
  readonly mode: Mode
  readonly filters: readonly Filter[]
  /** At most two. */
  readonly groupBy: readonly Property[]
  readonly before: Period
  /** The groups to tell of, where they were chosen before; null for the largest. */
  readonly groups: readonly GroupValues[] | null
}

/** What is meant by a question for the headlines of a share of all groups. */
export interface HeadlinesQuery extends EventSegmentsQuery {
  readonly share: Share
}
