import type { Handler } from 'hono'
import { toCsv } from '../../../base/text/csv.ts'
import { calendarOf } from '../../../base/time/calendar.ts'
import type { AppEnv } from '../../../http/context.ts'
import { canonical, commonQuery, homeOf, hrefWith, readView } from '../../address.ts'
import { contextAbout, findApplication } from '../../application-request.ts'
import { attempt } from '../../components/problem.tsx'
import { asFile } from '../../download.ts'
import { askForRevenue, METRICS, type RevenueAnswer, seriesOf } from './question.ts'

/** All figures of the page of revenue, as a table for spreadsheets. That page reports invalid questions. */
export const revenueCsv: Handler<AppEnv> = async (c) => {
  const url = new URL(c.req.url)
  const better = canonical(url)
  if (better !== null) return c.redirect(better)
  const application = await findApplication(c)
  const view = readView(url, calendarOf(application.timeZone).dayOf(c.get('now')))
  const { context } = contextAbout(c, application)
  const { data: answer, problem } = await attempt(askForRevenue(view, context))
  if (problem) return c.redirect(hrefWith({ ...view, path: `${homeOf(application)}/revenue` }, {}))
  const { start = '', end = '' } = commonQuery(view)
  const nameParts = [application.handle, 'revenue', answer.currency, String(start), String(end)]
  return c.body(toCsv(rowsOf(answer)), 200, asFile('text/csv; charset=utf-8', { nameParts, extension: 'csv' }))
}

/** One row per day; with groups, one per day and group. */
function rowsOf({ xValues, yValues, currency, groupBy, groups }: RevenueAnswer) {
  const sets = groupBy === '' ? [{ name: null, yValues }] : groups
  const head = ['day', 'currency', ...(groupBy === '' ? [] : [groupBy]), ...METRICS.map(({ name }) => name)]
  const rows = xValues.data.flatMap((day, place) =>
    sets.map(({ name, yValues: series }) => [
      day,
      currency,
      ...(name === null ? [] : [name]),
      ...METRICS.map((metric) => seriesOf(series, metric).data[place] ?? 0),
    ]),
  )
  return [head, ...rows]
}
