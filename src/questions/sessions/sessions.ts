import type { Columns } from '../../columns/columns.ts'
import { sessionsOf } from '../../columns/selection/sessions.ts'
import { BOUNDS } from '../engine/report.ts'
import { record, type TotalOf, totalReport } from '../engine/totals.ts'
import { createAveragesCounter, type SessionAveragesQuery, sessionAverages } from './session-averages.ts'
import { createLengthsCounter, sessionLengths } from './session-lengths.ts'

const sessions = record({ averages: sessionAverages, lengths: sessionLengths })

type Sessions = TotalOf<typeof sessions>

/** Answers both reports about sessions in one pass. */
export const sessionsReport = totalReport('sessions', sessions, countBoth)

function* countBoth(columns: Columns, query: SessionAveragesQuery, { slice } = BOUNDS): Generator<void, Sessions> {
  const { filters, before, from, to } = query
  const averages = createAveragesCounter(columns, query)
  const lengths = createLengthsCounter(columns.calendar, from)
  for (const ended of sessionsOf(columns, { days: { from: before.from, to }, filters }, slice)) {
    averages.add(ended)
    lengths.add(ended)
    yield
  }
  return { averages: averages.averages(), lengths: lengths.lengths() }
}
