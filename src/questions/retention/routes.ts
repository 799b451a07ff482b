import { boundsOf } from '../../base/time/intervals.ts'
import { SUCCESS } from '../../http/api/answers.ts'
import { toEventName } from '../engine/event-name.ts'
import { groupFields, nameOf } from '../engine/groups.ts'
import { question } from '../engine/question.ts'
import { analyzeRetention } from './contract.ts'
import { intervalsAt } from './finished.ts'
import { groupSizesReport } from './group-sizes.ts'
import { intervalPeriodFaults } from './interval-period.ts'
import type { RetentionQuery } from './query.ts'
import { askForRetention, retentionReport, toMatrix } from './retention.ts'
import { retentionUsers } from './users.ts'

export const analyzeRetentionRoute = question(
  analyzeRetention,
  async ({ query: params }, asking) => {
    const [grouped] = params.group_by
    const today = asking.calendar.dayOf(asking.now)
    const query: RetentionQuery = {
      startEvent: toEventName(params.start_event),
      returnEvent: toEventName(params.return_event),
      mode: params.mode,
      filters: params.filters,
      groupBy: grouped?.property ?? null,
      bounds: boundsOf(asking.period, params.interval, today),
      groups: null,
    }
    const intervals = intervalsAt(query, today)
    const { all, groups, total } = await askForRetention(query, asking)
    const retention = {
      ...toMatrix(all, intervals),
      groupBy: grouped?.name ?? '',
      groups: groups.map((group) => ({ name: nameOf(group.values), ...toMatrix(group, intervals) })),
      ...groupFields({ total }),
    }
    return { data: [retention], ...SUCCESS }
  },
  { reports: [retentionReport, groupSizesReport], users: retentionUsers, findFaults: intervalPeriodFaults },
)
