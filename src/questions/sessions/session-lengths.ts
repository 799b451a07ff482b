import type { Calendar } from '../../base/time/calendar.ts'
import type { Columns } from '../../columns/columns.ts'
import { type EndedSessions, sessionsOf } from '../../columns/selection/sessions.ts'
import { BOUNDS } from '../engine/report.ts'
import { count, list, type TotalOf, totalReport } from '../engine/totals.ts'
import type { SessionsQuery } from './session-averages.ts'

/** Classes of session length, each up to its bound, exclusive. */
export const LENGTHS = [
  { name: '0-5 seconds', belowMilliseconds: 5_000 },
  { name: '5-10 seconds', belowMilliseconds: 10_000 },
  { name: '11-60 seconds', belowMilliseconds: 60_000 },
  { name: '1-5 minutes', belowMilliseconds: 300_000 },
  { name: '5+ minutes', belowMilliseconds: Number.POSITIVE_INFINITY },
] as const

/** The class of the mean length of one or more sessions. It is compared without division, so exactly. */
export function lengthOf(milliseconds: number, sessions: number): number {
  let length = 0
  while (milliseconds >= (LENGTHS[length]?.belowMilliseconds ?? 0) * sessions) length++
  return length
}

/** The number of sessions of each class of `LENGTHS`. */
export const sessionLengths = list(count)

export type SessionLengths = TotalOf<typeof sessionLengths>

export const sessionLengthsReport = totalReport('session lengths', sessionLengths, countLengths)

function* countLengths(
  columns: Columns,
  { filters, from, to }: SessionsQuery,
  { slice } = BOUNDS,
): Generator<void, SessionLengths> {
  const counter = createLengthsCounter(columns.calendar, from)
  for (const ended of sessionsOf(columns, { days: { from, to }, filters }, slice)) {
    counter.add(ended)
    yield
  }
  return counter.lengths()
}

/** Counts sessions that begin on or after a day. */
export function createLengthsCounter(calendar: Calendar, firstDay: number) {
  const counts = LENGTHS.map(() => 0)
  const earliest = calendar.startOf(firstDay)
  return {
    add({ length: ended, starts, durations }: EndedSessions): void {
      for (let index = 0; index < ended; index++) {
        if ((starts[index] as number) < earliest) continue
        const length = lengthOf(durations[index] as number, 1)
        counts[length] = (counts[length] as number) + 1
      }
    },
    lengths: (): SessionLengths => counts,
  }
}
