import { boundsOf, countIntervals, INTERVALS, type Interval } from '../time/intervals.ts'
import type { Period } from '../time/period.ts'
import { toDay, toMonth, toWeekday } from './format.ts'

/** A triangle with more columns than these is not taken in at a glance. */
const READABLE_COLUMNS = 14

/** The shortest interval of which a period has few enough. */
export function fittingInterval(period: Period | null): Interval {
  const isReadable = (interval: Interval) => period !== null && countIntervals(period, interval) <= READABLE_COLUMNS
  return INTERVALS.find(isReadable) ?? (period ? 'month' : 'week')
}

/** Whether the last interval of a period holds today, so that its figures can still grow. */
export function isStillOpen(period: Period, interval: Interval, today: number): boolean {
  return (boundsOf(period, interval, today).at(-1) ?? 0) > today
}

/** The interval that begins on a day, for people. */
export function labelOfInterval(firstDay: string, interval: Interval): string {
  return { day: toWeekday, week: toDay, month: toMonth }[interval](firstDay)
}

/** What stands over the first days of intervals. */
export const INTERVAL_HEADS: Readonly<Record<Interval, string>> = { day: 'Day', week: 'Week from', month: 'Month' }
