import { toName } from '../../base/text/text.ts'
import { SUCCESS } from '../../http/api/answers.ts'
import { question } from '../operation.ts'
import { toLabelSeries, toNumberSeries } from '../series.ts'
import { funnelCandidatesReport } from './candidates.ts'
import { analyzeFunnel } from './contract.ts'
import { askForFunnel, funnelReport, toFigures, toSteps } from './funnels.ts'
import { type FunnelQuery, labelsOf } from './query.ts'

export const analyzeFunnelRoute = question(
  analyzeFunnel,
  async ({ query: params }, asking) => {
    const query: FunnelQuery = {
      steps: params.events.map(toName) as [string, string, ...string[]],
      order: params.order,
      excluded: [...new Set(params.exclude.map(toName))],
      windowMilliseconds: params.window_seconds * 1000,
      filters: params.filters,
      groupBy: params.group_by,
      period: asking.period,
      before: asking.before,
      groups: null,
      objects: asking.objects,
      ranges: null,
    }
    const funnels = await askForFunnel(query, asking)
    return {
      xValues: toLabelSeries({ name: 'step', data: labelsOf(query), keyValue: query.steps.length }),
      yValues: funnels.map((funnel) => toNumberSeries(toFigures(funnel))),
      steps: funnels.flatMap(toSteps),
      time_zone: asking.calendar.timeZone,
      ...SUCCESS,
    }
  },
  { reports: [funnelReport, funnelCandidatesReport] },
)
