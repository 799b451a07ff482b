import { dayOf, MS_PER_DAY } from './days.ts'
import { parseInstant } from './instant.ts'

/** Days since 1970 UTC, both inclusive. */
export interface Period {
  readonly from: number
  readonly to: number
}

/** A period as it was asked for: days, where given. */
export interface AskedPeriod {
  readonly start?: number | undefined
  readonly end?: number | undefined
}

const DEFAULT_DAYS = 30
export const MAX_PERIOD_DAYS = 366

/** The period that was meant: it ends today and has 30 days unless said otherwise. */
export function resolvePeriod({ start, end }: AskedPeriod, today: number): Period {
  const to = end ?? today
  return { from: start ?? to - DEFAULT_DAYS + 1, to }
}

/** The period of equal length that ends the day before. */
export function precedingPeriod({ from, to }: Period): Period {
  return { from: from - (to - from + 1), to: from - 1 }
}

/** The days of a period, oldest first. */
export function daysIn({ from, to }: Period): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index)
}

/** When a period begins and ends: milliseconds since 1970 UTC, the end exclusive. */
export function spanOf({ from, to }: Period): { readonly from: number; readonly to: number } {
  return { from: from * MS_PER_DAY, to: (to + 1) * MS_PER_DAY }
}

/** A calendar day written `YYYYMMDD`, as days since 1970 UTC; null where there is no such day, or it lies before. */
export function parseDate(text: string): number | null {
  const match = /^(\d{4})(\d{2})(\d{2})$/.exec(text)
  const time = match && parseInstant(`${match[1]}-${match[2]}-${match[3]}`)
  return time === null || time < 0 ? null : dayOf(time)
}
