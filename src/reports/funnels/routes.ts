import { applicationOf } from '../../accounts/access.ts'
import { SUCCESS } from '../../api/answers.ts'
import { operation } from '../../api/operation.ts'
import { toName } from '../../text/text.ts'
import { dayOf } from '../../time/days.ts'
import { precedingPeriod, resolvePeriod } from '../../time/period.ts'
import { periodFaults } from '../period.ts'
import { run } from '../run.ts'
import { toLabelSeries, toNumberSeries } from '../series.ts'
import { analyzeFunnel } from './contract.ts'
import { funnelReport, toFigures, toSteps } from './funnels.ts'

export const analyzeFunnelRoute = operation(
  analyzeFunnel,
  { header: 'x-api-key', scope: 'full' },
  async ({ query: asked }, { questions, now, access }) => {
    const { window_seconds: windowSeconds, filters, group_by: groupBy } = asked
    const steps = asked.events.map(toName)
    const period = resolvePeriod(asked, dayOf(now))
    const funnels = await run(
      funnelReport,
      {
        applicationId: applicationOf(access).id,
        steps: steps as [string, string, ...string[]],
        windowMilliseconds: windowSeconds * 1000,
        filters,
        groupBy,
        period,
        before: precedingPeriod(period),
      },
      questions,
    )
    return {
      xValues: toLabelSeries({ name: 'step', data: steps, keyValue: steps.length }),
      yValues: funnels.map((funnel) => toNumberSeries(toFigures(funnel))),
      steps: funnels.flatMap(toSteps),
      ...SUCCESS,
    }
  },
  { findFaults: periodFaults },
)
