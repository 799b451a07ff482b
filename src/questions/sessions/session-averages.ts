import { dayFinder } from '../../base/time/calendar.ts'
import type { Period } from '../../base/time/period.ts'
import type { Columns } from '../../columns/columns.ts'
import type { Filter } from '../../columns/selection/filter.ts'
import { type EndedSessions, sessionsOf } from '../../columns/selection/sessions.ts'
import { type Fraction, unrounded } from '../engine/change.ts'
import { BOUNDS } from '../engine/report.ts'
import { countOf, type Figures } from '../engine/series.ts'
import { count, list, record, type TotalOf, together, totalReport } from '../engine/totals.ts'

/** A question about the sessions that begin in a period. */
export interface SessionsQuery extends Period {
  /** Filters for the first event of each session. */
  readonly filters: readonly Filter[]
}

/** A question about the sessions that begin in a period, or in the preceding one. */
export interface SessionAveragesQuery extends SessionsQuery {
  readonly before: Period
}

/** Counts of the sessions that begin on a day, or in a period. */
const sessionCounts = record({
  sessions: count,
  /** Distinct users with a session. */
  users: count,
  /** The total length of all sessions, a whole number so that parts can be added exactly. */
  milliseconds: count,
})

type SessionCounts = TotalOf<typeof sessionCounts>

export const sessionAverages = record({ days: list(sessionCounts), whole: sessionCounts, before: sessionCounts })

export type SessionAverages = TotalOf<typeof sessionAverages>

export const sessionAveragesReport = totalReport('session averages', sessionAverages, countSessions)

/** Counts the sessions of both periods in one pass. */
function* countSessions(
  columns: Columns,
  query: SessionAveragesQuery,
  { slice } = BOUNDS,
): Generator<void, SessionAverages> {
  const { filters, before, to } = query
  const counter = createAveragesCounter(columns, query)
  for (const ended of sessionsOf(columns, { days: { from: before.from, to }, filters }, slice)) {
    counter.add(ended)
    yield
  }
  return counter.averages()
}

/** Counts sessions, each user's in order of time: the day of the last one tells whether a user is new. */
export function createAveragesCounter({ calendar, userCount }: Columns, { before, from, to }: SessionAveragesQuery) {
  const dayCount = to - before.from + 1
  /** The index of the first day of the period itself. */
  const period = from - before.from
  const dayOf = dayFinder(calendar, { from: before.from, to })
  const [sessions, users] = [new Uint32Array(dayCount), new Uint32Array(dayCount)]
  const milliseconds = new Float64Array(dayCount)
  const lastDays = new Int32Array(userCount).fill(-1)
  let [usersNow, usersBefore] = [0, 0]

  function add({ length, users: sessionUsers, starts, durations }: EndedSessions): void {
    for (let index = 0; index < length; index++) {
      const user = sessionUsers[index] as number
      const day = dayOf(starts[index] as number)
      const lastDay = lastDays[user] as number
      lastDays[user] = day
      sessions[day] = (sessions[day] as number) + 1
      milliseconds[day] = (milliseconds[day] as number) + (durations[index] as number)
      users[day] = (users[day] as number) + Number(lastDay !== day)
      if (day < period) usersBefore += Number(lastDay === -1)
      else usersNow += Number(lastDay < period)
    }
  }

  function averages(): SessionAverages {
    const all = Array.from(sessions, (count, day) => ({
      sessions: count,
      users: users[day] as number,
      milliseconds: milliseconds[day] as number,
    }))
    const days = all.slice(period)
    const sum = (some: readonly SessionCounts[]) => together(sessionCounts)([NOTHING, ...some])
    const before = { ...sum(all.slice(0, period)), users: usersBefore }
    return { days, whole: { ...sum(days), users: usersNow }, before }
  }

  return { add, averages }
}

const NOTHING: SessionCounts = { sessions: 0, users: 0, milliseconds: 0 }

const MS_PER_SECOND = 1000

const SERIES: Readonly<Record<string, (counts: SessionCounts) => Fraction>> = {
  average_session_length: ({ milliseconds, sessions }) => ({ part: milliseconds, whole: MS_PER_SECOND * sessions }),
  sessions: ({ sessions }) => countOf(sessions),
  sessions_per_user: ({ sessions, users }) => ({ part: sessions, whole: users }),
}

/** The three series of an answer, in order. */
export function toFigures({ days, whole, before }: SessionAverages): Figures[] {
  return Object.entries(SERIES).map(([name, figureOf]) => ({
    name,
    data: days.map((day) => unrounded(figureOf(day))),
    headline: figureOf(whole),
    before: figureOf(before),
  }))
}
