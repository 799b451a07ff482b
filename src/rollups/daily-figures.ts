import { daysIn, type Period } from '../time/period.ts'

/** A monthly active user was active on a day or on one of the 29 before it. */
export const MONTH_DAYS = 30

/** What happened on one day. */
export interface DayCounts {
  readonly day: number
  readonly activeUsers: number
  readonly premiumUsers: number
  readonly newUsers: number
  readonly events: number
}

/** So many users were active on `day`, and count as monthly active by that until before `until`. */
export interface Streak {
  readonly day: number
  readonly until: number
  readonly users: number
}

export interface MonthlyFigures {
  readonly day: number
  readonly monthlyActiveUsers: number
}

export interface DailyFigures extends DayCounts, MonthlyFigures {
  readonly nonPremiumUsers: number
}

/** All figures of these days. The streaks must cover the 29 days before each too. */
export function toDailyFigures(
  days: readonly number[],
  counts: readonly DayCounts[],
  streaks: readonly Streak[],
): DailyFigures[] {
  const byDay = new Map(counts.map((count) => [count.day, count]))
  return days.map((day) => {
    const count = byDay.get(day) ?? { day, activeUsers: 0, premiumUsers: 0, newUsers: 0, events: 0 }
    const nonPremiumUsers = count.activeUsers - count.premiumUsers
    return { ...count, nonPremiumUsers, monthlyActiveUsers: countMonthly(day, streaks) }
  })
}

/** The monthly active users of each day of a period. The streaks must cover the 29 days before it too. */
export function toMonthlyFigures(period: Period, streaks: readonly Streak[]): MonthlyFigures[] {
  return daysIn(period).map((day) => ({ day, monthlyActiveUsers: countMonthly(day, streaks) }))
}

function countMonthly(day: number, streaks: readonly Streak[]): number {
  return streaks.reduce((sum, { day: from, until, users }) => (from <= day && day < until ? sum + users : sum), 0)
}
