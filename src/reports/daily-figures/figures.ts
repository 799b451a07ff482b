import type { Report } from '../report.ts'
import { type FiguresRow, selectFigures } from './sql.ts'

export interface FiguresQuery {
  /** Without an at-sign; in any case. */
  readonly handle: string
  /** Restricts the answer to the applications of this account. */
  readonly accountId?: string | undefined
  /** Days since 1970 UTC, both inclusive. */
  readonly from: number
  readonly to: number
}

interface DayFigures {
  readonly day: number
  readonly monthlyActiveUsers: number
  readonly premiumUsers: number
  readonly nonPremiumUsers: number
}

export interface ApplicationFigures {
  readonly handle: string
  readonly name: string
  readonly link: string
  /** Since when an event waits to be counted: milliseconds since 1970 UTC, or null where none does. */
  readonly waitingSince: number | null
  /** One entry per day of the span, oldest first. */
  readonly days: readonly DayFigures[]
}

/** The daily figures of one application; null where there is none of that handle. */
export const figuresReport: Report<FiguresQuery, FiguresRow, ApplicationFigures | null> = {
  name: 'daily figures',
  statement: selectFigures,
  result: toFigures,
}

function toFigures(rows: readonly FiguresRow[], { from, to }: FiguresQuery): ApplicationFigures | null {
  const [row] = rows
  if (!row) return null
  const { handle, name, link, waitingSince } = row
  const byDay = new Map(rows.map((figures) => [figures.day, figures]))
  const days = Array.from({ length: to - from + 1 }, (_, index) => from + index)
  return { handle, name, link, waitingSince, days: days.map((day) => toDay(day, byDay.get(day))) }
}

function toDay(day: number, row: FiguresRow | undefined): DayFigures {
  return {
    day,
    monthlyActiveUsers: row?.monthlyActiveUsers ?? 0,
    premiumUsers: row?.premiumUsers ?? 0,
    nonPremiumUsers: row?.nonPremiumUsers ?? 0,
  }
}
