import type { RequestContext } from '../../../http/context.ts'
import type { QueryParams } from '../../../http/params.ts'
import { LETTERS } from '../../../questions/trends/formula.ts'
import { analyzeTrendsRoute } from '../../../questions/trends/routes.ts'
import { commonQuery, ownQuery, type View } from '../../address.ts'
import { csvOf } from '../../csv-of.ts'

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
export const SHARED_PARAMS = ['formula', 'interval', 'compare', 'first_time', 'group_by']

export const OWN_PARAMS = [
  ...[...LETTERS].flatMap((_, line) => FIELDS.map((field) => paramOf(field, line))),
  ...SHARED_PARAMS,
]

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
export function queryOf(view: View): QueryParams | null {
  const lines = linesOf(view)
  if (lines.length === 0) return null
  const series = lines.map(({ event, mode, of }) => ({ event, ...(mode && { mode }), ...(of && { of }) }))
  return { ...commonQuery(view), series: JSON.stringify(series), ...ownQuery(view, SHARED_PARAMS) }
}

export function askForTrends(view: View, context: RequestContext) {
  const query = queryOf(view)
  return query && analyzeTrendsRoute.ask({ query }, context)
}

/** One row per interval. */
export const trendsCsv = csvOf('trends', async (view, context) => {
  const answer = await askForTrends(view, context)
  if (!answer) return null
  const columns = answer.yValues.flatMap(({ name, data, compared }) => [
    { name, data },
    ...(compared ? [{ name: `${name} (compared)`, data: compared }] : []),
  ])
  const rows = answer.xValues.data.map((label, place) => [label, ...columns.map(({ data }) => data[place] ?? '')])
  return { name: ['trends'], rows: [['interval', ...columns.map(({ name }) => name)], ...rows] }
})
