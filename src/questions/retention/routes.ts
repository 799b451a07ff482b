import { applicationOf } from '../../access/access.ts'
import type { Fault } from '../../base/errors.ts'
import { dayOf } from '../../base/time/days.ts'
import { boundsOf, countIntervals, INTERVALS, type Interval } from '../../base/time/intervals.ts'
import { type Period, resolvePeriod } from '../../base/time/period.ts'
import { SUCCESS } from '../../http/api/answers.ts'
import { operation } from '../../http/api/operation.ts'
import { ask } from '../ask.ts'
import { AS_OF_HEADER } from '../daily-figures/as-of.ts'
import { toEventName } from '../event-name.ts'
import { findLargestGroups } from '../group-users.ts'
import { nameOf } from '../groups.ts'
import { periodFaultsOf } from '../period.ts'
import { analyzeRetention } from './contract.ts'
import { groupSizesReport } from './group-sizes.ts'
import { retentionReport, toMatrix } from './retention.ts'

const MAX_INTERVALS: Readonly<Record<Interval, number>> = { day: 366, week: 53, month: 24 }

/** The faults of a query's period, which is as long as whole intervals. An interval that is none is told by its own parameter. */
function retentionPeriodFaults(query: Record<string, string>, now: number): Fault[] {
  const interval = INTERVALS.find((name) => name === (query.interval ?? 'day'))
  return periodFaultsOf(query, now, (period) => (interval ? problemOfLength(period, interval) : null))
}

function problemOfLength(period: Period, interval: Interval): string | null {
  const max = MAX_INTERVALS[interval]
  return countIntervals(period, interval) <= max ? null : `The period should have at most ${max} ${interval}s`
}

export const analyzeRetentionRoute = operation(
  analyzeRetention,
  { header: 'x-api-key', scope: 'questions' },
  async ({ query: params }, context) => {
    const today = dayOf(context.now)
    const [grouped] = params.group_by
    const query = {
      startEvent: toEventName(params.start_event),
      returnEvent: toEventName(params.return_event),
      mode: params.mode,
      filters: params.filters,
      groupBy: grouped?.property ?? null,
      bounds: boundsOf(resolvePeriod(params, today), params.interval, today),
    }
    const isSpread = applicationOf(context.access).objects > 1 && grouped !== undefined
    const groups = isSpread
      ? await findLargestGroups(
          async (share) => (await ask(groupSizesReport, { ...query, groups: null, share }, context)).data,
        )
      : null
    const { asOf, data } = await ask(retentionReport, { ...query, groups }, context)
    context.setHeader(AS_OF_HEADER, asOf)
    const retention = {
      ...toMatrix(data.all, query.bounds),
      groupBy: grouped?.name ?? '',
      groups: data.groups.map((group) => ({ name: nameOf(group.values), ...toMatrix(group, query.bounds) })),
    }
    return { data: [retention], ...SUCCESS }
  },
  { findFaults: retentionPeriodFaults },
)
