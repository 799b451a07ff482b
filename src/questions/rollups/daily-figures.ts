import { daysIn, type Period } from '../../base/time/period.ts'
import type { Columns, Pairs } from '../../columns/columns.ts'
import { RollingUsers } from '../../columns/rolling-users.ts'

/** The days of monthly active users: a day and the 29 before it. */
export const MONTH_DAYS = 30

export interface MonthlyFigures {
  readonly day: number
  readonly monthlyActiveUsers: number
}

/** The figures of an object's users on one day. */
export interface DailyFigures extends MonthlyFigures {
  readonly activeUsers: number
  readonly newUsers: number
  readonly premiumUsers: number
  readonly nonPremiumUsers: number
  readonly events: number
}

/** Counts of one day. */
export interface DayCounts {
  readonly activeUsers: number
  /** Active users who were premium on their last event of the day. */
  readonly premiumUsers: number
  readonly events: number
}

export function countDays(days: readonly number[], columns: Columns): DayCounts[] {
  const codes = columns.contextCodes('isPremium')
  const [yes] = [...columns.contextValues('isPremium').entries()].find(([, text]) => text === 'true') ?? [-1]
  return days.map((day) => countDay(columns.pairsOf(day), (context) => codes[context] === yes))
}

function countDay({ length, contexts, counts, lasts }: Pairs, isPremium: (context: number) => boolean): DayCounts {
  let [activeUsers, premiumUsers, events] = [0, 0, 0]
  for (let pair = 0; pair < length; pair += 1) {
    events += counts[pair] as number
    if (lasts[pair] === 0) continue
    activeUsers += 1
    if (isPremium(contexts[pair] as number)) premiumUsers += 1
  }
  return { activeUsers, premiumUsers, events }
}

/** Counts each day's monthly active users, active on it or on one of the 29 days before, in one pass. */
export function countMonthly({ from, to }: Period, columns: Columns): MonthlyFigures[] {
  const days = { from: from - MONTH_DAYS + 1, to }
  const rolling = new RollingUsers(columns.userCount, days, MONTH_DAYS)
  for (const day of daysIn(days)) {
    const { length, users } = columns.pairsOf(day)
    rolling.add(day, { users, from: 0, to: length })
  }
  const monthly = rolling.within(MONTH_DAYS).slice(MONTH_DAYS - 1)
  return monthly.map((monthlyActiveUsers, index) => ({ day: from + index, monthlyActiveUsers }))
}
