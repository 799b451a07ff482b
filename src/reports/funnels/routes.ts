import { applicationOf } from '../../accounts/access.ts'
import { SUCCESS } from '../../api/answers.ts'
import { operation } from '../../api/operation.ts'
import { toName } from '../../text/text.ts'
import { dayOf } from '../../time/days.ts'
import { precedingPeriod, resolvePeriod } from '../../time/period.ts'
import { ask } from '../ask.ts'
import { AS_OF_HEADER } from '../daily-figures/as-of.ts'
import { findLargestGroups } from '../group-users.ts'
import { periodFaults } from '../period.ts'
import { toLabelSeries, toNumberSeries } from '../series.ts'
import { toFigures, toSteps } from './answer.ts'
import { analyzeFunnel } from './contract.ts'
import { funnelReport } from './funnels.ts'
import { labelsOf } from './labels.ts'
import { funnelHeadlinesReport } from './largest-groups.ts'

export const analyzeFunnelRoute = operation(
  analyzeFunnel,
  { header: 'x-api-key', scope: 'questions' },
  async ({ query: asked }, context) => {
    const { window_seconds: windowSeconds, filters, group_by: groupBy } = asked
    const steps = asked.events.map(toName)
    const period = resolvePeriod(asked, dayOf(context.now))
    const { objects } = applicationOf(context.access)
    const query = {
      steps: steps as [string, string, ...string[]],
      order: asked.order,
      excluded: [...new Set(asked.exclude.map(toName))],
      windowMilliseconds: windowSeconds * 1000,
      filters,
      groupBy,
      period,
      before: precedingPeriod(period),
      groups: null,
      objects,
    }
    const isSpread = objects > 1 && groupBy.length > 0
    const groups = isSpread
      ? await findLargestGroups(async (share) => (await ask(funnelHeadlinesReport, { ...query, share }, context)).data)
      : null
    const { asOf, data: funnels } = await ask(funnelReport, { ...query, groups }, context)
    context.setHeader(AS_OF_HEADER, asOf)
    return {
      xValues: toLabelSeries({ name: 'step', data: labelsOf(query), keyValue: steps.length }),
      yValues: funnels.map((funnel) => toNumberSeries(toFigures(funnel))),
      steps: funnels.flatMap(toSteps),
      ...SUCCESS,
    }
  },
  { findFaults: periodFaults },
)
