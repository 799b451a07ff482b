import { NONE } from '../../../columns/selection/filter.ts'
import type { RequestContext } from '../../../http/context.ts'
import type { QueryParams } from '../../../http/params.ts'
import { analyzeTrendsRoute } from '../../../questions/trends/routes.ts'
import { trendsQuery } from '../../../questions/trends/saved.ts'
import type { TableOf } from '../../figures/csv-of.ts'
import { groupsOf } from '../../forms/question-form.tsx'
import { commonQuery, type View } from '../../request/address.ts'
import type { AnswerTo } from '../../request/application-request.ts'
import { attempt } from '../../request/problem.tsx'

/** What a view asks; null if it has no event yet. */
export function queryOf(view: View): QueryParams | null {
  const own = trendsQuery(view)
  return own && { ...commonQuery(view), ...own }
}

export function askForTrends(view: View, context: RequestContext) {
  const query = queryOf(view)
  return query && analyzeTrendsRoute.ask({ query }, context)
}

type Trends = AnswerTo<typeof analyzeTrendsRoute>

/** What is in none of the groups that the answer lists. */
interface OtherGroups {
  readonly series: Trends['yValues'][number]
  /** How many groups they are. */
  readonly count: number
  /** The question that counts them, where the answer itself did not. */
  readonly query: QueryParams | null
}

export interface TrendsAnswer extends Omit<Trends, 'other'> {
  /** Null if all groups are listed, or if the others could not be counted. */
  readonly other: OtherGroups | null
}

/** The series, and where there are more groups than can be listed, all others together. */
export async function askWithOthers(
  view: View,
  context: RequestContext,
  asking: Promise<Trends>,
): Promise<TrendsAnswer> {
  const answer = await asking
  const count = (answer.groups_total ?? 0) - answer.yValues.length
  if (answer.other) return { ...answer, other: { series: answer.other, count, query: null } }
  const query = count > 0 ? othersQuery(view, answer) : null
  if (!query) return { ...answer, other: null }
  const { data } = await attempt(analyzeTrendsRoute.ask({ query }, context))
  const series = data?.yValues[0]
  return { ...answer, other: series && !series.empty ? { series, count, query } : null }
}

/** The series of the events whose value is not that of a listed group. */
function othersQuery(view: View, { yValues }: Trends): QueryParams | null {
  const query = queryOf(view)
  const [property] = groupsOf(view)
  if (!query || !property) return null
  const { group_by: _, ...own } = query
  const isOther = { prop: property, op: 'is not', values: yValues.map(({ name }) => name || NONE) }
  const filters = [...[own.filters ?? []].flat(), JSON.stringify(isOther)]
  return { ...own, filters }
}

/** One row per interval. */
export const trendsTable: TableOf = async (view, context) => {
  const answer = await askForTrends(view, context)
  if (!answer) return null
  const columns = answer.yValues.flatMap(({ name, data, compared }) => [
    { name, data },
    ...(compared ? [{ name: `${name} (compared)`, data: compared }] : []),
  ])
  const rows = answer.xValues.data.map((label, place) => [label, ...columns.map(({ data }) => data[place] ?? '')])
  return { name: ['trends'], rows: [['interval', ...columns.map(({ name }) => name)], ...rows] }
}
