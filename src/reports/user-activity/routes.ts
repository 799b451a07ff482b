import { SUCCESS } from '../../api/answers.ts'
import { operation } from '../../api/operation.ts'
import { dayOf } from '../../time/days.ts'
import { precedingPeriod, resolvePeriod } from '../../time/period.ts'
import { ask } from '../ask.ts'
import { AS_OF_HEADER } from '../daily-figures/as-of.ts'
import { periodFaults } from '../period.ts'
import { toDateSeries, toNumberSeries } from '../series.ts'
import { getUserActivity } from './contract.ts'
import { toFigures } from './figures.ts'
import { userActivityReport } from './user-activity.ts'

export const getUserActivityRoute = operation(
  getUserActivity,
  { header: 'x-api-key', scope: 'questions' },
  async ({ query: asked }, context) => {
    const period = resolvePeriod(asked, dayOf(context.now))
    const query = { filters: asked.filters, ...period, before: precedingPeriod(period) }
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
