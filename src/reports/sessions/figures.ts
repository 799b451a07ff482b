import { type Fraction, unrounded } from '../change.ts'
import { countOf, type Figures } from '../series.ts'
import type { SessionAverages, SessionCounts } from './session-averages.ts'

const MS_PER_SECOND = 1000

const SERIES: Readonly<Record<string, (counts: SessionCounts) => Fraction>> = {
  average_session_length: ({ milliseconds, sessions }) => ({ part: milliseconds, whole: MS_PER_SECOND * sessions }),
  sessions: ({ sessions }) => countOf(sessions),
  sessions_per_user: ({ sessions, users }) => ({ part: sessions, whole: users }),
}

/** The three series, in order. */
export function toFigures({ days, whole, before }: SessionAverages): Figures[] {
  return Object.entries(SERIES).map(([name, figureOf]) => ({
    name,
    data: days.map((day) => unrounded(figureOf(day))),
    headline: figureOf(whole),
    before: figureOf(before),
  }))
}
