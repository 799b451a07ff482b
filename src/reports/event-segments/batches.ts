import type { Columns } from '../../columns/columns.ts'
import { type Batch, batchesOf } from '../../selection/batches.ts'
import type { Selection } from '../../selection/selection.ts'
import type { Period } from '../../time/period.ts'
import { needsEvents } from './counts.ts'
import type { EventSegmentsQuery } from './query.ts'

/** What a question counts of a period, in order of days. A batch is overwritten by the next one. */
export function batchesFor(
  columns: Columns,
  selection: Selection,
  { event, mode, filters, groupBy }: EventSegmentsQuery,
  period: Period,
): Iterable<Batch> {
  const properties = [...groupBy, ...filters.map(({ property }) => property)]
  return batchesOf(columns, selection, { event, properties, needsEvents: needsEvents(mode) }, period)
}
