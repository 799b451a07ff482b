import { TREND_INTERVALS, type TrendInterval } from '../../../base/time/divided-period.ts'
import { NONE } from '../../../columns/selection/filter.ts'
import type { RequestContext } from '../../../http/context.ts'
import type { QueryParams } from '../../../http/params.ts'
import { LETTERS } from '../../../questions/trends/formula.ts'
import { analyzeTrendsRoute } from '../../../questions/trends/routes.ts'
import { savedTrends, type TrendLine, trendLines, trendsQuery } from '../../../questions/trends/saved.ts'
import type { SeriesLine } from '../../figures/bars.tsx'
import { seriesRows, type TableOf } from '../../figures/csv-of.ts'
import { VALUE } from '../../figures/declared.ts'
import type { ToUsers } from '../../figures/figure-users.ts'
import { wholeOf } from '../../figures/totals-text.ts'
import { groupsOf } from '../../forms/question-form.tsx'
import { commonQuery, type View } from '../../request/address.ts'
import type { AnswerTo } from '../../request/application-request.ts'
import { type PageQuestion, pageQuestion } from '../../request/page-question.ts'
import { attempt } from '../../request/problem.tsx'
import { labelOfGroup } from '../../words/labels.ts'
import { eventIn } from '../cell-words.ts'
import { titleOfMeasure } from '../events/question.ts'

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

export function intervalIn({ params }: Pick<View, 'params'>): TrendInterval {
  return TREND_INTERVALS.find((name) => name === params.get('interval')) ?? 'day'
}

/** Whether the figures of a series, or of its groups, count users. Formulas come after the series; groups are of the first one. */
export function countsUsers(view: View, place: number): boolean {
  const line = trendLines(view)[groupsOf(view).length > 0 ? 0 : place]
  return line !== undefined && (line.mode || 'uniques') === 'uniques'
}

/** `Order paid: Sum of order_total` */
export function nameOfLine({ event, mode, of }: TrendLine): string {
  return `${eventIn(event)}: ${titleOfMeasure({ params: new URLSearchParams({ mode, of }) })}`
}

/** The series of an answer, or its groups. Those that count users lead to them. */
export function linesOf(view: View, series: Trends['yValues'], usersOf: ToUsers): SeriesLine[] {
  const groups = groupsOf(view)
  const asked = trendLines(view)
  return series.map((one, place) => {
    const isGroup = groups.length > 0
    const at = { series: LETTERS.charAt(isGroup ? 0 : place), ...(isGroup && { group: [one.name] }) }
    // Of several series, two may be of one event.
    const line = asked.length > 1 ? asked[place] : undefined
    return lineOf(one, {
      name: isGroup ? labelOfGroup(groups, one.name) : line ? nameOfLine(line) : eventIn(one.name),
      group: isGroup ? one.name : null,
      usersAt: (interval) => (countsUsers(view, place) ? usersOf({ ...at, interval }) : undefined),
    })
  })
}

interface NamedLine extends Pick<SeriesLine, 'name' | 'group'> {
  /** Without an interval, of the whole period. */
  readonly usersAt: (interval?: string) => string | undefined
}

export function lineOf({ data, change, ...figure }: Trends['yValues'][number], named: NamedLine): SeriesLine {
  const { name: label, usersAt } = named
  return { ...named, data, total: { label, unit: VALUE, value: wholeOf(figure), change, users: usersAt() } }
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

export const trendsTable: TableOf = async (view, context) => {
  const query = trends.query(view)
  if (!query) return null
  const { xValues, yValues } = await trends.operation.ask({ query }, context)
  const columns = yValues.flatMap(({ name, data, compared }) => [
    { name, data },
    ...(compared ? [{ name: `${name} (compared)`, data: compared }] : []),
  ])
  return { name: ['trends'], rows: seriesRows('interval', xValues.data, columns) }
}
