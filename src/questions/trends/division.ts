import type { Calendar } from '../../base/time/calendar.ts'
import { toDate, toIso } from '../../base/time/days.ts'
import {
  type DividedPeriod,
  dividedAt,
  dividedByHour,
  type TrendInterval,
  undivided,
  wholeIntervals,
} from '../../base/time/divided-period.ts'
import { hoursOf } from '../../base/time/hours.ts'
import { firstDayOf, type Interval, intervalOf, SAME_DAYS } from '../../base/time/intervals.ts'
import { daysIn, type Period, type PeriodParams, precedingPeriod, resolvePeriod } from '../../base/time/period.ts'

/** The days of a period of hours whose start is not given. */
export const DEFAULT_DAYS_OF_HOURS = 7
/** The most days of a period of hours. */
export const MAX_DAYS_OF_HOURS = 14

export const COMPARISONS = ['previous', '28d'] as const

interface DivisionParams {
  readonly interval: TrendInterval
  /** What intervals are compared with. The preceding period is always compared as a whole. */
  readonly compare?: (typeof COMPARISONS)[number] | undefined
}

/** The intervals of a trend, and those that they are compared with. */
export interface Division {
  /** Labels of the intervals. */
  readonly labels: readonly string[]
  readonly period: DividedPeriod
  /** The period to compare with, divided only if intervals are compared. */
  readonly before: DividedPeriod
  /** Per interval: the index of the one that it is compared with; null if there is none. */
  readonly indexesBefore: readonly (number | null)[]
}

export function divide(calendar: Calendar, period: Period, { interval, compare }: DivisionParams): Division {
  return interval === 'hour'
    ? divideByHour(calendar, period, compare)
    : divideByDay(calendar, period, interval, compare)
}

function divideByHour(calendar: Calendar, period: Period, compare: DivisionParams['compare']): Division {
  const other = compare === '28d' ? earlier(period, SAME_DAYS) : precedingPeriod(period)
  const divided = dividedByHour(calendar, period)
  return {
    labels: divided.starts.map((start) => toIso(start).replace('.000Z', 'Z')),
    period: divided,
    before: compare ? dividedByHour(calendar, other) : undivided(other),
    indexesBefore: compare ? hoursBefore(calendar, period, other) : [],
  }
}

/** Per hour: the index of the other day's hour of the same name; of two such hours, the corresponding one. */
function hoursBefore(calendar: Calendar, period: Period, other: Period): (number | null)[] {
  let offset = 0
  return daysIn(period).flatMap((day) => {
    const names = namesOfHours(calendar, day - period.from + other.from)
    const first = offset
    offset += names.length
    return namesOfHours(calendar, day).map((name) => {
      const index = names.indexOf(name)
      return index === -1 ? null : first + index
    })
  })
}

function namesOfHours(calendar: Calendar, day: number): string[] {
  const hours = hoursOf(calendar, day).map(({ hour }) => hour)
  return hours.map((hour, index) => `${hour}, number ${hours.slice(0, index).filter((other) => other === hour).length}`)
}

function divideByDay(
  calendar: Calendar,
  asked: Period,
  interval: Interval,
  compare: DivisionParams['compare'],
): Division {
  const { period, firstDays } = wholeIntervals(asked, interval)
  const other =
    compare === '28d'
      ? { period: earlier(period, SAME_DAYS), firstDays: firstDays.map((day) => day - SAME_DAYS) }
      : intervalsBefore(period, interval, firstDays.length)
  return {
    labels: firstDays.map(toDate),
    period: dividedAt(calendar, period, firstDays),
    before: compare ? dividedAt(calendar, other.period, other.firstDays) : undivided(other.period),
    indexesBefore: compare ? firstDays.map((_, index) => index) : [],
  }
}

/** The `count` whole intervals immediately before a period. */
function intervalsBefore({ from }: Period, interval: Interval, count: number) {
  const first = firstDayOf(intervalOf(from, interval) - count, interval)
  return wholeIntervals({ from: first, to: from - 1 }, interval)
}

function earlier({ from, to }: Period, days: number): Period {
  return { from: from - days, to: to - days }
}

/** The period of a request. By the hour, the default is shorter. */
export function trendPeriod(params: PeriodParams & { readonly interval: TrendInterval }, today: number): Period {
  const period = resolvePeriod(params, today)
  const isShorter = params.interval === 'hour' && params.start === undefined
  return isShorter ? { from: period.to - DEFAULT_DAYS_OF_HOURS + 1, to: period.to } : period
}
