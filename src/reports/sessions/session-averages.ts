import type { Columns } from '../../columns/columns.ts'
import { type EndedSessions, SLICE, sessionsOf } from '../../selection/sessions.ts'
import { MS_PER_DAY } from '../../time/days.ts'
import type { Period } from '../../time/period.ts'
import type { Report } from '../report.ts'
import type { SessionAveragesQuery } from './query.ts'

/** Of sessions that begin on a day, or in a period. */
export interface SessionCounts {
  readonly sessions: number
  /** Distinct. */
  readonly users: number
  /** The lengths of all of them together: a whole number, so that parts can be added. */
  readonly milliseconds: number
}

export interface SessionAverages {
  readonly days: readonly SessionCounts[]
  readonly whole: SessionCounts
  readonly before: SessionCounts
}

export const sessionAveragesReport: Report<SessionAveragesQuery, SessionAverages, SessionAverages> = {
  name: 'session averages',
  part: (columns, query) => countSessions(columns, query),
  result: (parts) => parts.reduce(add),
}

/** Of both periods in one pass. */
export function* countSessions(
  columns: Columns,
  { filters, before, from, to }: SessionAveragesQuery,
  slice = SLICE,
): Generator<void, SessionAverages> {
  const tally = createTally({ from: before.from, to }, { period: from - before.from, users: columns.userCount })
  for (const ended of sessionsOf(columns, { days: { from: before.from, to }, filters }, slice)) {
    tally.add(ended)
    yield
  }
  return tally.averages()
}

interface Size {
  /** The place of the first day that is not of the period before. */
  readonly period: number
  readonly users: number
}

/** Sessions of one user come in order of time: the day on which the last one began tells whether the user is a new one. */
function createTally({ from, to }: Period, { period, users: userCount }: Size) {
  const dayCount = to - from + 1
  const origin = from * MS_PER_DAY
  const [sessions, users] = [new Uint32Array(dayCount), new Uint32Array(dayCount)]
  const milliseconds = new Float64Array(dayCount)
  const lastDays = new Int32Array(userCount).fill(-1)
  let [usersNow, usersBefore] = [0, 0]

  function add({ length, users: whose, starts, durations }: EndedSessions): void {
    for (let place = 0; place < length; place++) {
      const user = whose[place] as number
      const day = Math.floor(((starts[place] as number) - origin) / MS_PER_DAY)
      const lastDay = lastDays[user] as number
      lastDays[user] = day
      sessions[day] = (sessions[day] as number) + 1
      milliseconds[day] = (milliseconds[day] as number) + (durations[place] as number)
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
    const together = (counts: readonly SessionCounts[]) => counts.reduce(addCounts, NOTHING)
    const before = { ...together(all.slice(0, period)), users: usersBefore }
    return { days, whole: { ...together(days), users: usersNow }, before }
  }

  return { add, averages }
}

const NOTHING: SessionCounts = { sessions: 0, users: 0, milliseconds: 0 }

/** Of different users. */
function add(a: SessionAverages, b: SessionAverages): SessionAverages {
  return {
    days: a.days.map((day, place) => addCounts(day, b.days[place] ?? NOTHING)),
    whole: addCounts(a.whole, b.whole),
    before: addCounts(a.before, b.before),
  }
}

function addCounts(a: SessionCounts, b: SessionCounts): SessionCounts {
  return {
    sessions: a.sessions + b.sessions,
    users: a.users + b.users,
    milliseconds: a.milliseconds + b.milliseconds,
  }
}
