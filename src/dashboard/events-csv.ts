import type { Context, Handler } from 'hono'
import type { AppEnv, RequestContext } from '../context.ts'
import { listEventNamesRoute } from '../reports/event-names/routes.ts'
import { segmentEventsRoute } from '../reports/event-segments/routes.ts'
import { dayOf } from '../time/days.ts'
import { canonical, commonQuery, homeOf, hrefWith, ownQuery, readView, type View } from './address.ts'
import { applicationOf, contextAbout } from './application-page.tsx'
import { attempt } from './components/problem.tsx'
import { toCsv } from './csv.ts'
import { OWN_PARAMS } from './event-question.ts'
import { NAMES_ON_A_PAGE } from './occurred.ts'

/** What the page of events shows, as a table for spreadsheets. What cannot be asked is told by that page. */
export const eventsCsv: Handler<AppEnv> = async (c) => {
  const url = new URL(c.req.url)
  const better = canonical(url)
  if (better !== null) return c.redirect(better)
  const application = await applicationOf(c)
  const view = readView(url, dayOf(c.get('now')))
  const { context } = contextAbout(c, application)
  const event = view.params.get('event')
  const { data: rows, problem } = await attempt(event === null ? namesOf(view, context) : daysOf(view, context))
  if (problem) return c.redirect(hrefWith({ ...view, path: `${homeOf(application)}/events` }, {}))
  return answerFile(c, toCsv(rows), fileName([application.handle, event ?? 'events', ...periodOf(view)]))
}

async function namesOf(view: View, context: RequestContext) {
  const query = { ...commonQuery(view), limit: NAMES_ON_A_PAGE, ...ownQuery(view, ['contains', 'offset']) }
  const { data } = await listEventNamesRoute.ask({ query }, context)
  const head = ['event', 'events', 'users', 'first_seen_at', 'last_seen_at']
  const rows = data.map((row) => [row.name, row.events, row.users, row.first_seen_at, row.last_seen_at])
  return [head, ...rows]
}

/** A row a day, a column a group. */
async function daysOf(view: View, context: RequestContext) {
  const query = { ...commonQuery(view), ...ownQuery(view, OWN_PARAMS) }
  const { xValues, yValues } = await segmentEventsRoute.ask({ query }, context)
  const rows = xValues.data.map((day, place) => [day, ...yValues.map(({ data }) => data[place] ?? 0)])
  return [['day', ...yValues.map(({ name }) => name)], ...rows]
}

function periodOf(view: View): string[] {
  const { start = '', end = '' } = commonQuery(view)
  return [String(start), String(end)]
}

/** Of names only letters and digits that every system takes for a file's. */
function fileName(parts: readonly string[]): string {
  const words = parts.map((part) =>
    part
      .toLowerCase()
      .replaceAll(/[^a-z0-9_]+/g, '-')
      .replaceAll(/^-+|-+$/g, ''),
  )
  return `${words.filter((word) => word !== '').join('-')}.csv`
}

function answerFile(c: Context, text: string, name: string): Response {
  return c.body(text, 200, {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="${name}"`,
  })
}
