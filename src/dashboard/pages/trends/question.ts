import type { Handler } from 'hono'
import { toCsv } from '../../../base/text/csv.ts'
import { calendarOf } from '../../../base/time/calendar.ts'
import type { AppEnv, RequestContext } from '../../../http/context.ts'
import type { QueryParams } from '../../../http/params.ts'
import { LETTERS } from '../../../questions/trends/formula.ts'
import { analyzeTrendsRoute } from '../../../questions/trends/routes.ts'
import { canonical, commonQuery, homeOf, hrefWith, ownQuery, readView, type View } from '../../address.ts'
import { contextAbout, findApplication } from '../../application-request.ts'
import { attempt } from '../../components/problem.tsx'
import { asFile } from '../../download.ts'

/** An event of the address, and the names of its fields there. */
export interface TrendLine {
  readonly event: string
  readonly mode: string
  readonly of: string
}

const FIELDS = ['event', 'mode', 'of'] as const

/** The parameter of the address that has a field of a line, counted from 0. */
export function paramOf(field: (typeof FIELDS)[number], line: number): string {
  return `${field}_${LETTERS.charAt(line).toLowerCase()}`
}

/** The operation's own parameters, which the address has as they are. */
const SHARED = ['formula', 'interval', 'compare', 'first_time', 'group_by']

export const OWN_PARAMS = [...[...LETTERS].flatMap((_, line) => FIELDS.map((field) => paramOf(field, line))), ...SHARED]

/** The lines that have an event, in order. */
export function linesOf({ params }: Pick<View, 'params'>): TrendLine[] {
  const textOf = (field: (typeof FIELDS)[number], line: number) => params.get(paramOf(field, line)) ?? ''
  const lines = [...LETTERS].map((_, line) => ({
    event: textOf('event', line),
    mode: textOf('mode', line),
    of: textOf('of', line),
  }))
  return lines.filter(({ event }) => event !== '')
}

/** What a view asks; null where it has no event yet. */
function queryOf(view: View): QueryParams | null {
  const lines = linesOf(view)
  if (lines.length === 0) return null
  const series = lines.map(({ event, mode, of }) => ({ event, ...(mode && { mode }), ...(of && { of }) }))
  return { ...commonQuery(view), series: JSON.stringify(series), ...ownQuery(view, SHARED) }
}

export function askForTrends(view: View, context: RequestContext) {
  const query = queryOf(view)
  return query && analyzeTrendsRoute.ask({ query }, context)
}

/** What the page of trends shows, as a table for spreadsheets: one row per interval. That page reports invalid questions. */
export const trendsCsv: Handler<AppEnv> = async (c) => {
  const url = new URL(c.req.url)
  const better = canonical(url)
  if (better !== null) return c.redirect(better)
  const application = await findApplication(c)
  const view = readView(url, calendarOf(application.timeZone).dayOf(c.get('now')))
  const { context } = contextAbout(c, application)
  const asking = askForTrends(view, context)
  const { data } = asking ? await attempt(asking) : { data: null }
  if (!data) return c.redirect(hrefWith({ ...view, path: `${homeOf(application)}/trends` }, {}))
  const { xValues, yValues } = data
  const columns = yValues.flatMap(({ name, data, compared }) => [
    { name, data },
    ...(compared ? [{ name: `${name} (compared)`, data: compared }] : []),
  ])
  const rows = xValues.data.map((label, place) => [label, ...columns.map(({ data }) => data[place] ?? '')])
  const { start = '', end = '' } = commonQuery(view)
  const nameParts = [application.handle, 'trends', String(start), String(end)]
  const text = toCsv([['interval', ...columns.map(({ name }) => name)], ...rows])
  return c.body(text, 200, asFile('text/csv; charset=utf-8', { nameParts, extension: 'csv' }))
}
