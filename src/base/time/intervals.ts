import { MS_PER_DAY } from './days.ts'
import type { Period } from './period.ts'

export const INTERVALS = ['day', 'week', 'month'] as const

/** A day, an ISO week (from Monday), a calendar month. */
export type Interval = (typeof INTERVALS)[number]

/** 1 January 1970 was a Thursday: the Monday before it is day -3. */
const DAYS_FROM_MONDAY = 3
const WEEK_DAYS = 7

/** Days are compared with those four weeks before, so that weekdays agree. */
export const SAME_DAYS = 28

/** From 0 for Monday to 6 for Sunday. */
export function weekdayOf(day: number): number {
  return (((day + DAYS_FROM_MONDAY) % WEEK_DAYS) + WEEK_DAYS) % WEEK_DAYS
}

/** Intervals are numbered without gaps; the one with 1 January 1970 is number 0. */
export function intervalOf(day: number, interval: Interval): number {
  if (interval === 'day') return day
  if (interval === 'week') return Math.floor((day + DAYS_FROM_MONDAY) / WEEK_DAYS)
  const date = new Date(day * MS_PER_DAY)
  return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth()
}

/** The first day of the interval with this number. */
export function firstDayOf(number: number, interval: Interval): number {
  if (interval === 'day') return number
  if (interval === 'week') return number * WEEK_DAYS - DAYS_FROM_MONDAY
  return Date.UTC(1970, number, 1) / MS_PER_DAY
}

export function countIntervals({ from, to }: Period, interval: Interval): number {
  return intervalOf(to, interval) - intervalOf(from, interval) + 1
}

/**
 * The first days of the intervals that a period touches, up to the interval of `lastDay`, followed by the day after the last interval:
 * n + 1 days for n intervals. Empty if the period begins later.
 */
export function boundsOf({ from, to }: Period, interval: Interval, lastDay: number): number[] {
  const first = intervalOf(from, interval)
  const last = intervalOf(Math.min(to, lastDay), interval)
  if (last < first) return []
  return Array.from({ length: last - first + 2 }, (_, index) => firstDayOf(first + index, interval))
}
