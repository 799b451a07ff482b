import type { RequestContext } from '../../../http/context.ts'
import type { QueryParams } from '../../../http/params.ts'
import { trendsQuery } from '../../../questions/saved/contract.ts'
import { analyzeTrendsRoute } from '../../../questions/trends/routes.ts'
import { commonQuery, type View } from '../../address.ts'
import { csvOf } from '../../csv-of.ts'

/** What a view asks; null where it has no event yet. */
export function queryOf(view: View): QueryParams | null {
  const own = trendsQuery(view)
  return own && { ...commonQuery(view), ...own }
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
