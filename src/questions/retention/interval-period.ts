import type { Fault } from '../../base/errors.ts'
import { INTERVALS } from '../../base/time/intervals.ts'
import { type Asker, periodFaultsOf, problemOfLength } from '../engine/period.ts'

/** The faults of a period that is limited in intervals. A wrong interval is reported by its own parameter. */
export function intervalPeriodFaults(query: Record<string, string>, asker: Asker): Fault[] {
  const interval = INTERVALS.find((name) => name === (query.interval ?? 'day'))
  return periodFaultsOf(query, asker, (period) => (interval ? problemOfLength(period, interval) : null))
}
