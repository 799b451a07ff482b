import type { DividedPeriod } from '../../base/time/divided-period.ts'
import type { Columns } from '../../columns/columns.ts'
import { type BatchParams, batchesOf, type MixedBatch, mixedBatchesOf } from '../../columns/selection/batches.ts'
import type { Condition, EventProperty } from '../../columns/selection/filter.ts'
import type { IntervalBatch, Selection } from '../../columns/selection/selection.ts'
import type { Share } from '../../columns/selection/share.ts'
import type { GroupValues } from '../engine/groups.ts'
import type { SegmentationMode } from './contract.ts'
import { needsEvents } from './counts.ts'

/** What is asked about one event, whatever is counted or measured. */
export interface EventQuery {
  /** Null for any event. */
  readonly event: string | null
  readonly filters: readonly Condition[]
  /** At most two. */
  readonly groupBy: readonly EventProperty[]
  readonly period: DividedPeriod
  /** What the period is compared with. */
  readonly before: DividedPeriod
  /** Whether an event counts only if it is its user's first of that name ever. */
  readonly isFirstTime: boolean
}

/** A question about how often an event occurred. */
export interface EventSegmentsQuery extends EventQuery {
  readonly mode: SegmentationMode
  /** The groups to answer about, where they were chosen before; null for the largest. */
  readonly groups: readonly GroupValues[] | null
}

/** A question for the candidates for the largest groups, in one share of all groups. */
export interface SegmentCandidatesQuery extends EventSegmentsQuery {
  readonly share: Share
}

/** What a question counts of a period, each user's in order of intervals. A batch is overwritten by the next one. */
export function batchesFor(
  columns: Columns,
  selection: Selection,
  query: EventSegmentsQuery,
  period: DividedPeriod,
): Iterable<IntervalBatch> {
  return batchesOf(columns, selection, askedBy(query), period)
}

/** The same of the whole period of a question, in the order that takes least time. */
export function mixedBatchesFor(
  columns: Columns,
  selection: Selection,
  query: EventSegmentsQuery,
): Iterable<MixedBatch> {
  return mixedBatchesOf(columns, selection, askedBy(query), query.period)
}

function askedBy({ event, mode, filters, groupBy, isFirstTime }: EventSegmentsQuery): BatchParams {
  const properties = [...groupBy, ...filters.map(({ property }) => property)]
  return { event, properties, needsEvents: needsEvents(mode), isFirstTime }
}
