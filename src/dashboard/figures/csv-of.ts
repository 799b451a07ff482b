import type { Handler } from 'hono'
import { type Cell, toCsv } from '../../base/text/csv.ts'
import { calendarOf } from '../../base/time/calendar.ts'
import type { AppEnv, RequestContext } from '../../http/context.ts'
import { canonical, commonQuery, homeOf, hrefWith, readView, type View } from '../request/address.ts'
import { contextAbout, findApplication } from '../request/application-request.ts'
import { attempt } from '../request/problem.tsx'
import { asFile } from './download.ts'

interface CsvTable {
  /** What the file's name says between the application and the period. */
  readonly name: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
}

/** What a page shows, as a table for spreadsheets; null if it shows none. */
export type TableOf = (view: View, context: RequestContext) => Promise<CsvTable | null>

/** A page's table as a file. Where there is none, the page itself says why. */
export function csvOf(page: string, tableOf: TableOf): Handler<AppEnv> {
  return async (c) => {
    const url = new URL(c.req.url)
    const better = canonical(url)
    if (better !== null) return c.redirect(better)
    const application = await findApplication(c)
    const view = readView(url, calendarOf(application.timeZone).dayOf(c.get('now')))
    const { context } = contextAbout(c, application)
    const { data: table } = await attempt(tableOf(view, context))
    if (!table) return c.redirect(hrefWith({ ...view, path: `${homeOf(application)}/${page}` }, {}))
    const { start = '', end = '' } = commonQuery(view)
    const nameParts = [application.handle, ...table.name, String(start), String(end)]
    return c.body(toCsv(table.rows), 200, asFile('text/csv; charset=utf-8', { nameParts, extension: 'csv' }))
  }
}
