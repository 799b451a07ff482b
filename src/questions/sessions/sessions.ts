import type { Columns } from '../../columns/columns.ts'
import { sessionsOf } from '../../columns/selection/sessions.ts'
import { BOUNDS, type Report } from '../engine/report.ts'
import {
  createAveragesCounter,
  type SessionAverages,
  type SessionAveragesQuery,
  sessionAveragesReport,
} from './session-averages.ts'
import { createLengthsCounter, type SessionLengths, sessionLengthsReport } from './session-lengths.ts'

interface Sessions {
  readonly averages: SessionAverages
  readonly lengths: SessionLengths
}

/** What both reports say of a period, in one pass over its sessions. */
export const sessionsReport: Report<SessionAveragesQuery, Sessions, Sessions> = {
  name: 'sessions',
  part: countBoth,
  result: (parts, query) => ({
    averages: sessionAveragesReport.result(
      parts.map(({ averages }) => averages),
      query,
    ),
    lengths: sessionLengthsReport.result(
      parts.map(({ lengths }) => lengths),
      query,
    ),
  }),
}

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
