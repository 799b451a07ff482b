import { NONE } from '../../../columns/selection/filter.ts'
import type { RequestContext } from '../../../http/context.ts'
import type { QueryParams } from '../../../http/params.ts'
import { LETTERS } from '../../../questions/trends/formula.ts'
import { analyzeTrendsRoute } from '../../../questions/trends/routes.ts'
import { savedTrends, trendLines, trendsQuery } from '../../../questions/trends/saved.ts'
import type { TableOf } from '../../figures/csv-of.ts'
import type { FigureCell } from '../../figures/figure-users.ts'
import { groupsOf } from '../../forms/question-form.tsx'
import { commonQuery, type View } from '../../request/address.ts'
import type { AnswerTo } from '../../request/application-request.ts'
import { type PageQuestion, pageQuestion } from '../../request/page-question.ts'
import { attempt } from '../../request/problem.tsx'

/** An address without an event asks nothing. */
export const trends: PageQuestion<typeof analyzeTrendsRoute> = {
  ...pageQuestion(analyzeTrendsRoute),
  query: (view) => asked(view, trendsQuery(view)),
}

/** What cards ask: each is compared with the previous period, whatever the page is compared with. */
export const trendsOnCards = { ...trends, query: (view: View) => asked(view, savedTrends.toQuery(view)) }

function asked(view: View, own: QueryParams | null): QueryParams | null {
  return own && { ...commonQuery(view), ...own }
}

/** The users of the figures of series, where these count users. Formulas come after the series; groups are of the first one. */
export function usersOfSeries(view: View, usersOf: (at: FigureCell) => string | undefined) {
  const modes = trendLines(view).map(({ mode }) => mode || 'uniques')
  const isGrouped = groupsOf(view).length > 0
  const areUsers = (place: number) => modes[isGrouped ? 0 : place] === 'uniques'
  return {
    areUsers,
    usersOf: (place: number, name: string, at: { readonly interval?: string }) => {
      const series = LETTERS.charAt(isGrouped ? 0 : place)
      return areUsers(place) ? usersOf({ series, ...at, ...(isGrouped && { group: [name] }) }) : undefined
    },
  }
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
  /** Null where all groups are listed, or where the others could not be counted. */
  readonly other: OtherGroups | null
}

/** The series, and where there are more groups than can be listed, all others together. */
export async function askWithOthers(view: View, context: RequestContext, asked: QueryParams): Promise<TrendsAnswer> {
  const answer = await trends.operation.ask({ query: asked }, context)
  const count = (answer.groups_total ?? 0) - answer.yValues.length
  if (answer.other) return { ...answer, other: { series: answer.other, count, query: null } }
  const query = count > 0 ? othersQuery(view, answer) : null
  if (!query) return { ...answer, other: null }
  const { data } = await attempt(trends.operation.ask({ query }, context))
  const series = data?.yValues[0]
  return { ...answer, other: series && !series.empty ? { series, count, query } : null }
}

/** The series of the events whose value is not that of a listed group. */
function othersQuery(view: View, { yValues }: Trends): QueryParams | null {
  const query = trends.query(view)
  const [property] = groupsOf(view)
  if (!query || !property) return null
  const { group_by: _, ...own } = query
  const isOther = { prop: property, op: 'is not', values: yValues.map(({ name }) => name || NONE) }
  const filters = [...[own.filters ?? []].flat(), JSON.stringify(isOther)]
  return { ...own, filters }
}

/** One row per interval. */
export const trendsTable: TableOf = async (view, context) => {
  const query = trends.query(view)
  if (!query) return null
  const answer = await trends.operation.ask({ query }, context)
  const columns = answer.yValues.flatMap(({ name, data, compared }) => [
    { name, data },
    ...(compared ? [{ name: `${name} (compared)`, data: compared }] : []),
  ])
  const rows = answer.xValues.data.map((label, place) => [label, ...columns.map(({ data }) => data[place] ?? '')])
  return { name: ['trends'], rows: [['interval', ...columns.map(({ name }) => name)], ...rows] }
}
