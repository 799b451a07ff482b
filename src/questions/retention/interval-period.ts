import type { Fault } from '../../base/errors.ts'
import { countIntervals, INTERVALS, type Interval } from '../../base/time/intervals.ts'
import type { Period } from '../../base/time/period.ts'
import { type Asker, periodFaultsOf } from '../period.ts'

const MAX_INTERVALS: Readonly<Record<Interval, number>> = { day: 366, week: 53, month: 24 }

/** The faults of a query's period, which is as long as whole intervals. A wrong interval is reported by its own parameter. */
export function intervalPeriodFaults(query: Record<string, string>, asker: Asker): Fault[] {
  const interval = INTERVALS.find((name) => name === (query.interval ?? 'day'))
  return periodFaultsOf(query, asker, (period) => (interval ? problemOfLength(period, interval) : null))
}

function problemOfLength(period: Period, interval: Interval): string | null {
  const max = MAX_INTERVALS[interval]
  return countIntervals(period, interval) <= max ? null : `The period should have at most ${max} ${interval}s`
}
