import type { Handler } from 'hono'
import { toCsv } from '../../../base/text/csv.ts'
import { calendarOf } from '../../../base/time/calendar.ts'
import type { AppEnv, RequestContext } from '../../../http/context.ts'
import { segmentEventsRoute } from '../../../questions/event-segments/routes.ts'
import { canonical, commonQuery, homeOf, hrefWith, readView, type View } from '../../address.ts'
import { contextAbout, findApplication } from '../../application-request.ts'
import { attempt } from '../../components/problem.tsx'
import { asFile } from '../../download.ts'
import { askForNames, ownQuestion } from './question.ts'

/** What the page of events shows, as a table for spreadsheets. That page reports invalid questions. */
export const eventsCsv: Handler<AppEnv> = async (c) => {
  const url = new URL(c.req.url)
  const better = canonical(url)
  if (better !== null) return c.redirect(better)
  const application = await findApplication(c)
  const view = readView(url, calendarOf(application.timeZone).dayOf(c.get('now')))
  const { context } = contextAbout(c, application)
  const event = view.params.get('event')
  const { data: rows, problem } = await attempt(event === null ? namesOf(view, context) : daysOf(view, context))
  if (problem) return c.redirect(hrefWith({ ...view, path: `${homeOf(application)}/events` }, {}))
  const nameParts = [application.handle, event ?? 'events', ...periodOf(view)]
  return c.body(toCsv(rows), 200, asFile('text/csv; charset=utf-8', { nameParts, extension: 'csv' }))
}

async function namesOf(view: View, context: RequestContext) {
  const { data } = await askForNames({ view, context })
  const head = ['event', 'events', 'users', 'first_seen_at', 'last_seen_at']
  const rows = data.map((row) => [row.name, row.events, row.users, row.first_seen_at, row.last_seen_at])
  return [head, ...rows]
}

/** One row per day, one column per group. A day without a figure has an empty cell. */
async function daysOf(view: View, context: RequestContext) {
  const query = { ...commonQuery(view), ...ownQuestion(view) }
  const { xValues, yValues } = await segmentEventsRoute.ask({ query }, context)
  const rows = xValues.data.map((day, place) => [day, ...yValues.map(({ data }) => data[place] ?? '')])
  return [['day', ...yValues.map(({ name }) => name)], ...rows]
}

function periodOf(view: View): string[] {
  const { start = '', end = '' } = commonQuery(view)
  return [String(start), String(end)]
}
