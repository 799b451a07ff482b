import type { Fault } from '../../base/errors.ts'
import { boundsOf, countIntervals, INTERVALS, type Interval } from '../../base/time/intervals.ts'
import type { Period } from '../../base/time/period.ts'
import { SUCCESS } from '../../http/api/answers.ts'
import { toEventName } from '../event-name.ts'
import { nameOf } from '../groups.ts'
import { question } from '../operation.ts'
import { type Asker, periodFaultsOf } from '../period.ts'
import { analyzeRetention } from './contract.ts'
import { groupSizesReport } from './group-sizes.ts'
import type { RetentionQuery } from './query.ts'
import { askForRetention, retentionReport, toMatrix } from './retention.ts'

const MAX_INTERVALS: Readonly<Record<Interval, number>> = { day: 366, week: 53, month: 24 }

/** The faults of a query's period, which is as long as whole intervals. A wrong interval is reported by its own parameter. */
function retentionPeriodFaults(query: Record<string, string>, asker: Asker): Fault[] {
  const interval = INTERVALS.find((name) => name === (query.interval ?? 'day'))
  return periodFaultsOf(query, asker, (period) => (interval ? problemOfLength(period, interval) : null))
}

function problemOfLength(period: Period, interval: Interval): string | null {
  const max = MAX_INTERVALS[interval]
  return countIntervals(period, interval) <= max ? null : `The period should have at most ${max} ${interval}s`
}

export const analyzeRetentionRoute = question(
  analyzeRetention,
  async ({ query: params }, asking) => {
    const [grouped] = params.group_by
    const query: RetentionQuery = {
      startEvent: toEventName(params.start_event),
      returnEvent: toEventName(params.return_event),
      mode: params.mode,
      filters: params.filters,
      groupBy: grouped?.property ?? null,
      bounds: boundsOf(asking.period, params.interval, asking.calendar.dayOf(asking.now)),
      groups: null,
    }
    const { all, groups } = await askForRetention(query, asking)
    const retention = {
      ...toMatrix(all, query.bounds),
      groupBy: grouped?.name ?? '',
      groups: groups.map((group) => ({ name: nameOf(group.values), ...toMatrix(group, query.bounds) })),
    }
    return { data: [retention], ...SUCCESS }
  },
  { reports: [retentionReport, groupSizesReport], findFaults: retentionPeriodFaults },
)
