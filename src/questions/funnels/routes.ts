import { applicationOf } from '../../access/access.ts'
import { toName } from '../../base/text/text.ts'
import { dayOf } from '../../base/time/days.ts'
import { precedingPeriod, resolvePeriod } from '../../base/time/period.ts'
import { SUCCESS } from '../../http/api/answers.ts'
import { operation } from '../../http/api/operation.ts'
import { ask } from '../ask.ts'
import { AS_OF_HEADER } from '../daily-figures/as-of.ts'
import { findLargestGroups } from '../group-users.ts'
import { periodFaults } from '../period.ts'
import { toLabelSeries, toNumberSeries } from '../series.ts'
import { funnelCandidatesReport } from './candidates.ts'
import { analyzeFunnel } from './contract.ts'
import { funnelReport, toFigures, toSteps } from './funnels.ts'
import { labelsOf } from './query.ts'

export const analyzeFunnelRoute = operation(
  analyzeFunnel,
  { header: 'x-api-key', scope: 'questions' },
  async ({ query: params }, context) => {
    const { window_seconds: windowSeconds, filters, group_by: groupBy } = params
    const steps = params.events.map(toName)
    const period = resolvePeriod(params, dayOf(context.now))
    const { objects } = applicationOf(context.access)
    const query = {
      steps: steps as [string, string, ...string[]],
      order: params.order,
      excluded: [...new Set(params.exclude.map(toName))],
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
      ? await findLargestGroups(async (share) => (await ask(funnelCandidatesReport, { ...query, share }, context)).data)
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
