import type { Columns } from '../../columns/columns.ts'
import { type AskedBatches, type Batch, batchesOf, type MixedBatch, mixedBatchesOf } from '../../selection/batches.ts'
import type { Selection } from '../../selection/selection.ts'
import type { Period } from '../../time/period.ts'
import { needsEvents } from './counts.ts'
import type { EventSegmentsQuery } from './query.ts'

/** What a question counts of a period, in order of days. A batch is overwritten by the next one. */
export function batchesFor(
  columns: Columns,
  selection: Selection,
  query: EventSegmentsQuery,
  period: Period,
): Iterable<Batch> {
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

function askedBy({ event, mode, filters, groupBy }: EventSegmentsQuery): AskedBatches {
  const properties = [...groupBy, ...filters.map(({ property }) => property)]
  return { event, properties, needsEvents: needsEvents(mode) }
}
