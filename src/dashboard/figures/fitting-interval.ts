import { countIntervals, INTERVALS, type Interval } from '../../base/time/intervals.ts'
import type { Period } from '../../base/time/period.ts'

const READABLE_COLUMNS = 14

/** The shortest interval that keeps the triangle readable. */
export function fittingInterval(period: Period | null): Interval {
  const isReadable = (interval: Interval) => period !== null && countIntervals(period, interval) <= READABLE_COLUMNS
  return INTERVALS.find(isReadable) ?? (period ? 'month' : 'week')
}
