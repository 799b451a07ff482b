import { dayOf } from '../../base/time/days.ts'
import { precedingPeriod, resolvePeriod } from '../../base/time/period.ts'
import { SUCCESS } from '../../http/api/answers.ts'
import { operation } from '../../http/api/operation.ts'
import { ask } from '../ask.ts'
import { AS_OF_HEADER } from '../daily-figures/as-of.ts'
import { periodFaults } from '../period.ts'
import { toDateSeries, toNumberSeries } from '../series.ts'
import { getUserActivity } from './contract.ts'
import { toFigures, userActivityReport } from './user-activity.ts'

export const getUserActivityRoute = operation(
  getUserActivity,
  { header: 'x-api-key', scope: 'questions' },
  async ({ query: params }, context) => {
    const period = resolvePeriod(params, dayOf(context.now))
    const query = { filters: params.filters, ...period, before: precedingPeriod(period) }
    const { asOf, data } = await ask(userActivityReport, query, context)
    context.setHeader(AS_OF_HEADER, asOf)
    return {
      xValues: toDateSeries(period),
      yValues: toFigures(data).map(toNumberSeries),
      ...SUCCESS,
    }
  },
  { findFaults: periodFaults },
)
