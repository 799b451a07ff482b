import { SUCCESS } from '../../http/api/answers.ts'
import { groupFields, nameOf } from '../engine/groups.ts'
import { question } from '../engine/question.ts'
import { analyzeRetention } from './contract.ts'
import { intervalsAt } from './finished.ts'
import { groupSizesReport } from './group-sizes.ts'
import { intervalPeriodFaults } from './interval-period.ts'
import { askedRetention } from './query.ts'
import { askForRetention, retentionReport, toMatrix } from './retention.ts'
import { retentionUsers } from './returns.ts'

export const analyzeRetentionRoute = question(
  analyzeRetention,
  async ({ query: params }, asking) => {
    const [grouped] = params.group_by
    const today = asking.calendar.dayOf(asking.now)
    const query = askedRetention(params, { period: asking.period, today })
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
