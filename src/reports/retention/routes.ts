import { applicationOf } from '../../accounts/access.ts'
import { SUCCESS } from '../../api/answers.ts'
import { operation } from '../../api/operation.ts'
import { dayOf } from '../../time/days.ts'
import { boundsOf } from '../../time/intervals.ts'
import { resolvePeriod } from '../../time/period.ts'
import { ask } from '../ask.ts'
import { AS_OF_HEADER } from '../daily-figures/as-of.ts'
import { toEventName } from '../event-name.ts'
import { findLargestGroups } from '../group-users.ts'
import { nameOf } from '../groups.ts'
import { analyzeRetention } from './contract.ts'
import { groupSizesReport } from './group-sizes.ts'
import { toMatrix } from './matrix.ts'
import { retentionPeriodFaults } from './period.ts'
import { retentionReport } from './retention.ts'

export const analyzeRetentionRoute = operation(
  analyzeRetention,
  { header: 'x-api-key', scope: 'questions' },
  async ({ query: asked }, context) => {
    const today = dayOf(context.now)
    const [grouped] = asked.group_by
    const query = {
      startEvent: toEventName(asked.start_event),
      returnEvent: toEventName(asked.return_event),
      mode: asked.mode,
      filters: asked.filters,
      groupBy: grouped?.property ?? null,
      bounds: boundsOf(resolvePeriod(asked, today), asked.interval, today),
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
