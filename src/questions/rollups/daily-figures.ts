/** A monthly active user was active on a day or on one of the 29 before it. */
export const MONTH_DAYS = 30

export interface MonthlyFigures {
  readonly day: number
  readonly monthlyActiveUsers: number
}

/** The figures of one day of an object's users. */
export interface DailyFigures extends MonthlyFigures {
  readonly activeUsers: number
  readonly newUsers: number
  readonly premiumUsers: number
  readonly nonPremiumUsers: number
  readonly events: number
}
