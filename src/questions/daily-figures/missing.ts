import { daysIn, type Period } from '../../base/time/period.ts'
import { MONTH_DAYS, type MonthlyFigures } from '../rollups/daily-figures.ts'

/** The newest day that has figures of a part. */
export interface Newest {
  readonly part: number
  readonly day: number
}

/** How many users of a part were last active on a day. */
export interface LastActive extends Newest {
  readonly users: number
}

/** Whose last activity decides over the days that have no figures yet; null where all have. */
export function activityOf(period: Period, newest: readonly Newest[]): Period | null {
  const from = Math.max(period.from, Math.min(...newest.map(({ day }) => day)) + 1)
  return from <= period.to ? { from: from - (MONTH_DAYS - 1), to: period.to } : null
}

/**
 * The monthly active users of days for each part that has no figures of them yet. Nobody writes figures while nothing happens
 * and cron does not run, though such days have monthly active users: those who were last active in the 30 days until then, as
 * figures go up to the day after the last activity.
 */
export function countMissing(
  period: Period,
  newest: readonly Newest[],
  lastActive: readonly LastActive[],
): MonthlyFigures[] {
  const newestOf = new Map(newest.map(({ part, day }) => [part, day]))
  return daysIn(period).map((day) => {
    const counted = lastActive.filter(
      (last) => (newestOf.get(last.part) ?? day) < day && last.day <= day && last.day > day - MONTH_DAYS,
    )
    return { day, monthlyActiveUsers: counted.reduce((sum, { users }) => sum + users, 0) }
  })
}
