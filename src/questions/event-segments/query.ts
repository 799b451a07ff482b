import type { Period } from '../../base/time/period.ts'
import type { Columns } from '../../columns/columns.ts'
import {
  type BatchParams,
  batchesOf,
  type DayBatch,
  type MixedBatch,
  mixedBatchesOf,
} from '../../columns/selection/batches.ts'
import type { Condition, EventProperty } from '../../columns/selection/filter.ts'
import type { Selection } from '../../columns/selection/selection.ts'
import type { Share } from '../../columns/selection/share.ts'
import type { GroupValues } from '../groups.ts'
import type { SegmentationMode } from './contract.ts'
import { needsEvents } from './counts.ts'

/** A question about one event. */
export interface EventSegmentsQuery extends Period {
  /** Null for any event. */
  readonly event: string | null
  readonly mode: SegmentationMode
  readonly filters: readonly Condition[]
  /** At most two. */
  readonly groupBy: readonly EventProperty[]
  readonly before: Period
  /** The groups to answer about, where they were chosen before; null for the largest. */
  readonly groups: readonly GroupValues[] | null
}

/** A question for the candidates for the largest groups, in one share of all groups. */
export interface SegmentCandidatesQuery extends EventSegmentsQuery {
  readonly share: Share
}

/** What a question counts of a period, in order of days. A batch is overwritten by the next one. */
export function batchesFor(
  columns: Columns,
  selection: Selection,
  query: EventSegmentsQuery,
  period: Period,
): Iterable<DayBatch> {
  return batchesOf(columns, selection, askedBy(query), period)
}

/** The same of the whole period of a question, in the order that takes least time. */
export function mixedBatchesFor(
  columns: Columns,
  selection: Selection,
  query: EventSegmentsQuery,
): Iterable<MixedBatch> {
  return mixedBatchesOf(columns, selection, askedBy(query), query)
}

function askedBy({ event, mode, filters, groupBy }: EventSegmentsQuery): BatchParams {
  const properties = [...groupBy, ...filters.map(({ property }) => property)]
  return { event, properties, needsEvents: needsEvents(mode) }
}
