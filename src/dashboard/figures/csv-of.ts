import type { Handler } from 'hono'
import { type Cell, toCsv } from '../../base/text/csv.ts'
import type { AppEnv, RequestContext } from '../../http/context.ts'
import { canonical, commonQuery, hrefWith, type View } from '../request/address.ts'
import { requestAt } from '../request/application-request.ts'
import { attempt } from '../request/problem.tsx'
import { asFile } from './download.ts'

interface CsvTable {
  /** What the file's name says between the application and the period. */
  readonly name: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
}

/** What a page shows, as a table for spreadsheets; null if it shows none. */
export type TableOf = (view: View, context: RequestContext) => Promise<CsvTable | null>

interface NamedColumn {
  readonly name: string
  readonly data: readonly (number | null)[]
}

/** An interval in each row, and a series in each column. An interval without a figure has an empty cell. */
export function seriesRows(head: string, labels: readonly string[], series: readonly NamedColumn[]): Cell[][] {
  const rows = labels.map((label, place) => [label, ...series.map(({ data }) => data[place] ?? '')])
  return [[head, ...series.map(({ name }) => name)], ...rows]
}

/** A page's table as a file. Where there is none, the page itself says why. */
export function csvOf(page: string, tableOf: TableOf): Handler<AppEnv> {
  return async (c) => {
    const better = canonical(new URL(c.req.url))
    if (better !== null) return c.redirect(better)
    const { application, home, view, context } = await requestAt(c)
    const { data: table } = await attempt(tableOf(view, context))
    if (!table) return c.redirect(hrefWith({ ...view, path: `${home}/${page}` }, {}))
    const { start = '', end = '' } = commonQuery(view)
    const nameParts = [application.handle, ...table.name, String(start), String(end)]
    return c.body(toCsv(table.rows), 200, asFile('text/csv; charset=utf-8', { nameParts, extension: 'csv' }))
  }
}
