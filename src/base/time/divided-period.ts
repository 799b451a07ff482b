import { type Calendar, spanOf } from './calendar.ts'
import { hoursOf } from './hours.ts'
import { firstDayOf, type Interval, intervalOf } from './intervals.ts'
import { daysIn, type Period } from './period.ts'

export const TREND_INTERVALS = ['hour', 'day', 'week', 'month'] as const

export type TrendInterval = (typeof TREND_INTERVALS)[number]

/** Days, and the intervals by which figures of them are counted, numbered from 0 on. */
export interface DividedPeriod extends Period {
  /** The moments at which its intervals begin, in order; none where only the whole period counts. */
  readonly starts: readonly number[]
  /** Whether every interval begins with a day. */
  readonly isOfDays: boolean
}

export function undivided({ from, to }: Period): DividedPeriod {
  return { from, to, starts: [], isOfDays: true }
}

/** A period in which nothing happens. */
export const NO_PERIOD = undivided({ from: 0, to: -1 })

/** Divides a period into intervals that begin on these days, the first of which is the period's own. */
export function dividedAt(calendar: Calendar, { from, to }: Period, firstDays: readonly number[]): DividedPeriod {
  return { from, to, starts: firstDays.map(calendar.startOf), isOfDays: true }
}

export function dividedByDay(calendar: Calendar, period: Period): DividedPeriod {
  return dividedAt(calendar, period, daysIn(period))
}

export function dividedByHour(calendar: Calendar, { from, to }: Period): DividedPeriod {
  const starts = daysIn({ from, to }).flatMap((day) => hoursOf(calendar, day).map((hour) => hour.from))
  return { from, to, starts, isOfDays: false }
}

/** The smallest period of whole intervals that includes this one, and the first day of each of them. */
export function wholeIntervals({ from, to }: Period, interval: Interval) {
  const [first, last] = [intervalOf(from, interval), intervalOf(to, interval)]
  const firstDays = daysIn({ from: first, to: last }).map((number) => firstDayOf(number, interval))
  return { period: { from: firstDays[0] as number, to: firstDayOf(last + 1, interval) - 1 }, firstDays }
}

/** Numbers the intervals of moments in a period; an undivided period has number 0 only. */
export interface Intervals {
  readonly count: number
  readonly numberOf: (time: number) => number
  /** The end of the last interval is the start of the one after it. */
  readonly startOf: (number: number) => number
}

export function intervalsOf(calendar: Calendar, period: DividedPeriod): Intervals {
  const { from, to } = spanOf(calendar, period)
  const starts = Float64Array.from([from, ...period.starts.slice(1), to])
  const count = starts.length - 1
  return {
    count,
    numberOf(time) {
      // The last one that has begun: dates that a zone skipped begin with the next.
      let [low, high] = [0, count - 1]
      while (low < high) {
        const middle = (low + high + 1) >>> 1
        if ((starts[middle] as number) <= time) low = middle
        else high = middle - 1
      }
      return low
    },
    startOf: (number) => starts[number] as number,
  }
}
