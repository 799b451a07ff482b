import { utcDayOf } from './days.ts'
import { parseInstant } from './instant.ts'

/** Days, both inclusive. */
export interface Period {
  readonly from: number
  readonly to: number
}

/** A period as requested; both days are optional. */
export interface PeriodParams {
  readonly start?: number | undefined
  readonly end?: number | undefined
}

/** The days of a period whose start is not given. */
export const DEFAULT_PERIOD_DAYS = 30
/** The most days of a period. */
export const MAX_PERIOD_DAYS = 366

/** Fills in the defaults: the period ends today and has the usual length. */
export function resolvePeriod({ start, end }: PeriodParams, today: number): Period {
  const to = end ?? today
  return { from: start ?? to - DEFAULT_PERIOD_DAYS + 1, to }
}

/** The period of equal length that ends the day before this one begins. */
export function precedingPeriod({ from, to }: Period): Period {
  return { from: from - (to - from + 1), to: from - 1 }
}

export function daysIn({ from, to }: Period): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index)
}

/** A day of the calendar from 1970 to 9999, as a part of a pattern, with this between its numbers. */
export function datePattern(between: string): string {
  const day = (months: string, days: string) => `(${months})${between}(${days})`
  const days = [
    day('0[13578]|1[02]', '0[1-9]|[12]\\d|3[01]'),
    day('0[469]|11', '0[1-9]|[12]\\d|30'),
    day('02', '0[1-9]|1\\d|2[0-8]'),
  ]
  const leapYear = '19(7[26]|8[048]|9[26])|[2-9]\\d(0[48]|[2468][048]|[13579][26])|(2[048]|[3579][26]|[468][048])00'
  return `((19[7-9]|[2-9]\\d\\d)\\d${between}(${days.join('|')})|(${leapYear})${between}${day('02', '29')})`
}

export const DATE_PATTERN = datePattern('')

/** A calendar day written `YYYYMMDD`, as a number; null if there is no such day, or it is before 1970. */
export function parseDate(text: string): number | null {
  const match = /^(\d{4})(\d{2})(\d{2})$/.exec(text)
  const time = match && parseInstant(`${match[1]}-${match[2]}-${match[3]}`)
  return time === null || time < 0 ? null : utcDayOf(time)
}
