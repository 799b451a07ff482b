import type { Fault } from '../errors.ts'
import { dayOf } from './days.ts'
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
const MOST_DAYS = 366

/** The period that was meant: it ends today and has 30 days unless said otherwise. */
export function resolvePeriod({ start, end }: AskedPeriod, today: number): Period {
  const to = end ?? today
  return { from: start ?? to - DEFAULT_DAYS + 1, to }
}

/** What is wrong with the period of a query, as it came. Where a day is none there is no period: of that the day's own parameter tells. */
export function periodFaults({ start, end }: Readonly<Record<string, string>>, now: number): Fault[] {
  const [first, last] = [start, end].map((text) => (text === undefined ? undefined : parseDate(text)))
  if (first === null || last === null) return []
  const problem = problemOf(resolvePeriod({ start: first, end: last }, dayOf(now)))
  return problem === null ? [] : [{ loc: ['query', 'start'], msg: problem, type: 'value_error' }]
}

function problemOf({ from, to }: Period): string | null {
  if (from > to) return 'Input should not be after the end of the period'
  return to - from < MOST_DAYS ? null : `The period should have at most ${MOST_DAYS} days`
}

/** The period of equal length that ends the day before. */
export function precedingPeriod({ from, to }: Period): Period {
  return { from: from - (to - from + 1), to: from - 1 }
}

/** The days of a period, oldest first. */
export function daysIn({ from, to }: Period): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index)
}

/** A calendar day written `YYYYMMDD`, as days since 1970 UTC; null where there is no such day, or it lies before. */
export function parseDate(text: string): number | null {
  const match = /^(\d{4})(\d{2})(\d{2})$/.exec(text)
  const time = match && parseInstant(`${match[1]}-${match[2]}-${match[3]}`)
  return time === null || time < 0 ? null : dayOf(time)
}
