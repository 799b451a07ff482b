/** A monthly active user was active on a day or on one of the 29 before it. */
export const MONTH_DAYS = 30

/** Days from the first to the last, both inclusive. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** What happened on one day. */
export interface DayCounts {
  readonly day: number
  readonly premiumUsers: number
  readonly newUsers: number
  readonly events: number
  readonly sessions: number
}

/** So many users were active on `day`, and count as monthly active by that until before `until`. */
export interface Streak {
  readonly day: number
  readonly until: number
  readonly users: number
}

export interface DailyFigures extends DayCounts {
  readonly activeUsers: number
  readonly monthlyActiveUsers: number
  readonly nonPremiumUsers: number
}

/** The figures of each day of a span. The streaks must cover the 29 days before it too. */
export function toDailyFigures(span: Span, counts: readonly DayCounts[], streaks: readonly Streak[]): DailyFigures[] {
  const byDay = new Map(counts.map((count) => [count.day, count]))
  return daysOf(span).map((day) => {
    const count = byDay.get(day) ?? { day, premiumUsers: 0, newUsers: 0, events: 0, sessions: 0 }
    const activeUsers = sumUsers(streaks, (streak) => streak.day === day)
    return {
      ...count,
      activeUsers,
      monthlyActiveUsers: sumUsers(streaks, (streak) => streak.day <= day && day < streak.until),
      nonPremiumUsers: activeUsers - count.premiumUsers,
    }
  })
}

function daysOf({ from, to }: Span): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index)
}

function sumUsers(streaks: readonly Streak[], counts: (streak: Streak) => boolean): number {
  return streaks.reduce((sum, streak) => (counts(streak) ? sum + streak.users : sum), 0)
}
