import type { TrendInterval } from '../../../base/time/divided-period.ts'
import type { QueryParams } from '../../../http/params.ts'
import type { NumberSeries } from '../../../questions/engine/contract.ts'
import { ANY_EVENT } from '../../../questions/engine/event-name.ts'
import { segmentEventsRoute } from '../../../questions/event-segments/routes.ts'
import { listLatestEventsRoute } from '../../../questions/latest-events/routes.ts'
import { getRevenueRoute } from '../../../questions/revenue/routes.ts'
import { summarizeSessionsRoute } from '../../../questions/sessions/routes.ts'
import { analyzeTrendsRoute } from '../../../questions/trends/routes.ts'
import { getUserActivityRoute } from '../../../questions/user-activity/routes.ts'
import { askBefore, type Compared } from '../../figures/comparison.ts'
import { commonQuery, type View } from '../../request/address.ts'
import type { AnswerTo, ApplicationRequest } from '../../request/application-request.ts'
import { type Attempt, attempt } from '../../request/problem.tsx'
import type { Clock } from '../../words/format.ts'
import { type HomeMetric, intervalOf, metricOf, metricsShown, trendQuery } from './metrics.ts'

export interface DailyAnswer {
  readonly xValues: { readonly data: readonly string[] }
  readonly yValues: readonly Figures[]
}

type Figures = Pick<NumberSeries, 'name' | 'key_value' | 'change'> & { readonly data: readonly (number | null)[] }

/** Answers about the days of a period; null if one could not be answered. */
export interface DailyAnswers {
  readonly activity: DailyAnswer
  readonly sessions: AnswerTo<typeof summarizeSessionsRoute> | null
  readonly revenue: AnswerTo<typeof getRevenueRoute> | null
  readonly events: DailyAnswer | null
}

/** The tiles of Home and its chart. */
export interface HomeAnswer extends DailyAnswers {
  /** What the previous period answers, as far as the chart and the tiles need it. */
  readonly compared: Compared<Partial<DailyAnswers>>
  readonly metrics: readonly HomeMetric[]
  readonly metric: HomeMetric
  readonly interval: TrendInterval
  /** The metric by another interval than days; null also if it could not be counted. */
  readonly trend: AnswerTo<typeof analyzeTrendsRoute> | null
}

/** What the parts of Home show. */
export interface HomeShown {
  readonly view: View
  readonly home: string
  readonly clock: Clock
  readonly answer: HomeAnswer
}

const NEWEST = '10'

/** The newest events that pass the filters, of any time. */
export function askForNewest({ view, context }: ApplicationRequest) {
  const { filters = [] } = commonQuery(view)
  return attempt(listLatestEventsRoute.ask({ query: { filters, limit: NEWEST } }, context))
}

export async function askForHome(request: ApplicationRequest): Promise<Attempt<HomeAnswer>> {
  const { view, context } = request
  const query = commonQuery(view)
  const asked = metricOf(view)
  const by = intervalOf(asked, view)
  const paid = attempt(getRevenueRoute.ask({ query }, context))
  const isFree = async () => ((await paid).data?.currencies.length ?? 0) === 0
  const [activity, compared, sessions, revenue, events, trend] = await Promise.all([
    attempt(getUserActivityRoute.ask({ query }, context)),
    askBefore(request, (before) => askAgain(request, asked, before)),
    attempt(summarizeSessionsRoute.ask({ query }, context)),
    paid,
    // Without a payment they have a tile.
    isFree().then((is) => (is ? attempt(segmentEventsRoute.ask({ query: eventsQuery(query) }, context)) : null)),
    by === 'day' ? null : attempt(analyzeTrendsRoute.ask({ query: { ...query, ...trendQuery(asked, by) } }, context)),
  ])
  if (activity.problem) return activity
  const metrics = metricsShown((await isFree()) ? null : (revenue.data?.currency ?? null))
  const metric = metricOf(view, metrics)
  const answers = {
    activity: activity.data,
    sessions: sessions.data,
    revenue: revenue.data,
    events: events?.data ?? null,
  }
  const isAsked = metric.name === asked.name && trend?.data
  const interval = isAsked ? by : 'day'
  return { problem: null, data: { ...answers, compared, metrics, metric, interval, trend: isAsked || null } }
}

function eventsQuery(query: QueryParams): QueryParams {
  return { ...query, event: ANY_EVENT, mode: 'totals' }
}

/** What tiles compare, and what the chart draws beside the chosen metric. */
async function askAgain(
  { context }: ApplicationRequest,
  { name }: HomeMetric,
  query: QueryParams,
): Promise<Partial<DailyAnswers>> {
  const ifIs = <T>(isChosen: boolean, ask: () => Promise<T>) => (isChosen ? ask() : undefined)
  const [activity, sessions, revenue, events] = await Promise.all([
    getUserActivityRoute.ask({ query }, context),
    ifIs(name === 'sessions' || name === 'session', () => summarizeSessionsRoute.ask({ query }, context)),
    ifIs(name === 'revenue', () => getRevenueRoute.ask({ query }, context)),
    ifIs(name === 'events', () => segmentEventsRoute.ask({ query: eventsQuery(query) }, context)),
  ])
  return { activity, ...(sessions && { sessions }), ...(revenue && { revenue }), ...(events && { events }) }
}

/** The series of a metric by day; null if it could not be answered. */
export function dailySeries({ name }: HomeMetric, answers: Partial<DailyAnswers>): Figures | null {
  const { activity, sessions, revenue, events } = answers
  const [answer, series]: readonly [DailyAnswer | null | undefined, string | null] = {
    users: [activity, 'dau'] as const,
    new: [activity, 'new'] as const,
    dau_mau: [activity, 'stickiness'] as const,
    sessions: [sessions?.averages, 'sessions'] as const,
    session: [sessions?.averages, 'average_session_length'] as const,
    revenue: [revenue, 'net'] as const,
    events: [events, null] as const,
  }[name]
  return answer ? seriesOf(answer, series) : null
}

/** Without a name, the only one. */
export function seriesOf({ yValues }: DailyAnswer, name: string | null): Figures {
  const found = yValues.find((series) => name === null || series.name === name)
  if (!found) throw new Error(`The answer has no series "${name}"`)
  return found
}
