import { SUCCESS } from '../../http/api/answers.ts'
import { groupFields } from '../engine/groups.ts'
import { question } from '../engine/question.ts'
import { toLabelSeries, toNumberSeries } from '../engine/series.ts'
import { funnelCandidatesReport } from './candidates.ts'
import { analyzeFunnel } from './contract.ts'
import { funnelUsers } from './figures.ts'
import { askForFunnel, funnelReport, toConversionTime, toFigures, toSteps } from './funnels.ts'
import { askedFunnel, labelsOf } from './query.ts'
import { savedFunnel } from './saved.ts'

export const analyzeFunnelRoute = question(
  analyzeFunnel,
  async ({ query: params }, asking) => {
    const { period, before, objects } = asking
    const query = askedFunnel(params, { period, before, objects })
    const { funnels, total } = await askForFunnel(query, asking)
    return {
      xValues: toLabelSeries({ name: 'step', data: labelsOf(query), keyValue: query.steps.length }),
      yValues: funnels.map((funnel) => toNumberSeries(toFigures(funnel))),
      steps: funnels.flatMap(toSteps),
      conversion_times: funnels.map((funnel) => toConversionTime(funnel, query)),
      ...groupFields({ total }),
      time_zone: asking.calendar.timeZone,
      ...SUCCESS,
    }
  },
  { reports: [funnelReport, funnelCandidatesReport], users: funnelUsers, saved: savedFunnel },
)
