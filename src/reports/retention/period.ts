import type { Fault } from '../../errors.ts'
import { countIntervals, INTERVALS, type Interval } from '../../time/intervals.ts'
import type { Period } from '../../time/period.ts'
import { periodFaultsOf } from '../period.ts'

const MAX_INTERVALS: Readonly<Record<Interval, number>> = { day: 366, week: 53, month: 24 }

/** The faults of a query's period, which is as long as whole intervals. An interval that is none is told by its own parameter. */
export function retentionPeriodFaults(query: Record<string, string>, now: number): Fault[] {
  const interval = INTERVALS.find((name) => name === (query.interval ?? 'day'))
  return periodFaultsOf(query, now, (period) => (interval ? problemOfLength(period, interval) : null))
}

function problemOfLength(period: Period, interval: Interval): string | null {
  const max = MAX_INTERVALS[interval]
  return countIntervals(period, interval) <= max ? null : `The period should have at most ${max} ${interval}s`
}
