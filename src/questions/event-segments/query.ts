import type { DividedPeriod } from '../../base/time/divided-period.ts'
import type { BatchParams } from '../../columns/selection/batches.ts'
import type { Condition, EventProperty } from '../../columns/selection/filter.ts'
import type { Share } from '../../columns/selection/share.ts'
import type { GroupValues } from '../engine/groups.ts'
import type { SegmentationMode } from './contract.ts'
import { needsEvents } from './counts.ts'

/** A question about one event, whether it counts or measures. */
export interface EventQuery {
  /** The name of the event; null for any event. */
  readonly event: string | null
  readonly filters: readonly Condition[]
  /** Properties to group by, at most two. */
  readonly groupBy: readonly EventProperty[]
  readonly period: DividedPeriod
  /** The period to compare with. */
  readonly before: DividedPeriod
  /** Whether an event counts only if it is its user's first of that name ever. */
  readonly isFirstTime: boolean
}

/** A question about how often an event occurred. */
export interface EventSegmentsQuery extends EventQuery {
  readonly mode: SegmentationMode
  /** The groups to answer about, if they are already chosen; null for the largest. */
  readonly groups: readonly GroupValues[] | null
}

/** A question for the candidates for the largest groups, in one share of all groups. */
export interface SegmentCandidatesQuery extends EventSegmentsQuery {
  readonly share: Share
}

/** Which events a question counts. */
export function toBatchParams({ event, mode, filters, groupBy, isFirstTime }: EventSegmentsQuery): BatchParams {
  const properties = [...groupBy, ...filters.map(({ property }) => property)]
  return { event, properties, needsEvents: needsEvents(mode), isFirstTime }
}
