import type { Columns } from '../../columns/columns.ts'
import { createPace } from '../engine/pace.ts'
import { least, totalReport } from '../engine/totals.ts'

/** The moment of an application's first event that is still stored; Infinity without events. */
export const firstEventReport = totalReport('first event', least, findFirst)

function* findFirst(columns: Columns): Generator<void, number> {
  const pace = createPace()
  let earliest = Number.POSITIVE_INFINITY
  for (const { first } of columns.names()) {
    earliest = Math.min(earliest, first)
    if (pace.isDue(0)) yield
  }
  return earliest
}
