import type { Columns } from '../../columns/columns.ts'
import { SLICE, sessionsOf } from '../../selection/sessions.ts'
import type { Report } from '../report.ts'
import { LENGTHS, lengthOf } from './lengths.ts'
import type { SessionsQuery } from './query.ts'

/** How many sessions there are of each length. */
export type SessionLengths = readonly number[]

export const sessionLengthsReport: Report<SessionsQuery, SessionLengths, SessionLengths> = {
  name: 'session lengths',
  part: (columns, query) => countLengths(columns, query),
  result: (parts) => LENGTHS.map((_, length) => parts.reduce((sum, part) => sum + (part[length] ?? 0), 0)),
}

export function* countLengths(
  columns: Columns,
  { filters, from, to }: SessionsQuery,
  slice = SLICE,
): Generator<void, SessionLengths> {
  const counts = LENGTHS.map(() => 0)
  for (const { length: ended, durations } of sessionsOf(columns, { days: { from, to }, filters }, slice)) {
    for (let place = 0; place < ended; place++) {
      const length = lengthOf(durations[place] as number, 1)
      counts[length] = (counts[length] as number) + 1
    }
    yield
  }
  return counts
}
