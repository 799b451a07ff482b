import type { Calendar } from '../../base/time/calendar.ts'
import type { Period } from '../../base/time/period.ts'
import { type Filter, nameOfProperty } from '../../columns/selection/filter.ts'
import { SUCCESS } from '../../http/api/answers.ts'
import { question } from '../engine/question.ts'
import { toDateSeries, toNumberSeries } from '../engine/series.ts'
import { averageSessions, countSessionLengths, summarizeSessions } from './contract.ts'
import { type SessionAverages, sessionAveragesReport, toFigures } from './session-averages.ts'
import { LENGTHS, type SessionLengths, sessionLengthsReport } from './session-lengths.ts'
import { sessionsReport } from './sessions.ts'

export const averageSessionsRoute = question(
  averageSessions,
  async ({ query: { filters } }, { calendar, period, before, ask }) =>
    toAverages(await ask(sessionAveragesReport, { filters, ...period, before }), { calendar, period }),
  { reports: [sessionAveragesReport] },
)

export const countSessionLengthsRoute = question(
  countSessionLengths,
  async ({ query: { filters } }, { period, ask }) =>
    toLengths(await ask(sessionLengthsReport, { filters, ...period }), filters),
  { reports: [sessionLengthsReport] },
)

/** Answers both operations about sessions in one pass, for pages. */
export const summarizeSessionsRoute = question(
  summarizeSessions,
  async ({ query: { filters } }, { calendar, period, before, ask }) => {
    const { averages, lengths } = await ask(sessionsReport, { filters, ...period, before })
    return { averages: toAverages(averages, { calendar, period }), lengths: toLengths(lengths, filters) }
  },
  { reports: [sessionsReport] },
)

function toAverages(averages: SessionAverages, { calendar, period }: { calendar: Calendar; period: Period }) {
  const yValues = toFigures(averages).map(toNumberSeries)
  return { xValues: toDateSeries(period), yValues, time_zone: calendar.timeZone, ...SUCCESS }
}

function toLengths(lengths: SessionLengths, filters: readonly Filter[]) {
  const understood = filters.map(({ property, operator, values }) => ({
    prop: nameOfProperty(property),
    op: operator,
    values: [...values],
  }))
  return {
    data: { filters: understood, series: [[...lengths]], xValues: LENGTHS.map(({ name }) => name) },
    ...SUCCESS,
  }
}
