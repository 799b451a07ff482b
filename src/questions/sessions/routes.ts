import { dayOf } from '../../base/time/days.ts'
import { precedingPeriod, resolvePeriod } from '../../base/time/period.ts'
import { nameOfProperty } from '../../columns/selection/filter.ts'
import { SUCCESS } from '../../http/api/answers.ts'
import { operation } from '../../http/api/operation.ts'
import { ask } from '../ask.ts'
import { AS_OF_HEADER } from '../daily-figures/as-of.ts'
import { periodFaults } from '../period.ts'
import { toDateSeries, toNumberSeries } from '../series.ts'
import { averageSessions, countSessionLengths } from './contract.ts'
import { sessionAveragesReport, toFigures } from './session-averages.ts'
import { LENGTHS, sessionLengthsReport } from './session-lengths.ts'

export const averageSessionsRoute = operation(
  averageSessions,
  { header: 'x-api-key', scope: 'questions' },
  async ({ query: { filters, ...dates } }, context) => {
    const period = resolvePeriod(dates, dayOf(context.now))
    const query = { filters, ...period, before: precedingPeriod(period) }
    const { asOf, data } = await ask(sessionAveragesReport, query, context)
    context.setHeader(AS_OF_HEADER, asOf)
    return {
      xValues: toDateSeries(period),
      yValues: toFigures(data).map(toNumberSeries),
      ...SUCCESS,
    }
  },
  { findFaults: periodFaults },
)

export const countSessionLengthsRoute = operation(
  countSessionLengths,
  { header: 'x-api-key', scope: 'questions' },
  async ({ query: { filters, ...dates } }, context) => {
    const period = resolvePeriod(dates, dayOf(context.now))
    const { asOf, data } = await ask(sessionLengthsReport, { filters, ...period }, context)
    context.setHeader(AS_OF_HEADER, asOf)
    const understood = filters.map(({ property, operator, values }) => ({
      prop: nameOfProperty(property),
      op: operator,
      values: [...values],
    }))
    return {
      data: { filters: understood, series: [[...data]], xValues: LENGTHS.map(({ name }) => name) },
      ...SUCCESS,
    }
  },
  { findFaults: periodFaults },
)
