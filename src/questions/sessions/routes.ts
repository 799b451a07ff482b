import { nameOfProperty } from '../../columns/selection/filter.ts'
import { SUCCESS } from '../../http/api/answers.ts'
import { question } from '../operation.ts'
import { toDateSeries, toNumberSeries } from '../series.ts'
import { averageSessions, countSessionLengths } from './contract.ts'
import { sessionAveragesReport, toFigures } from './session-averages.ts'
import { LENGTHS, sessionLengthsReport } from './session-lengths.ts'

export const averageSessionsRoute = question(
  averageSessions,
  async ({ query: { filters } }, { period, before, ask }) => {
    const averages = await ask(sessionAveragesReport, { filters, ...period, before })
    return { xValues: toDateSeries(period), yValues: toFigures(averages).map(toNumberSeries), ...SUCCESS }
  },
  { reports: [sessionAveragesReport] },
)

export const countSessionLengthsRoute = question(
  countSessionLengths,
  async ({ query: { filters } }, { period, ask }) => {
    const lengths = await ask(sessionLengthsReport, { filters, ...period })
    const understood = filters.map(({ property, operator, values }) => ({
      prop: nameOfProperty(property),
      op: operator,
      values: [...values],
    }))
    return {
      data: { filters: understood, series: [[...lengths]], xValues: LENGTHS.map(({ name }) => name) },
      ...SUCCESS,
    }
  },
  { reports: [sessionLengthsReport] },
)
