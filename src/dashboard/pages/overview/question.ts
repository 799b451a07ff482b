import type { TrendInterval } from '../../../base/time/divided-period.ts'
import type { RequestContext } from '../../../http/context.ts'
import type { QueryParams } from '../../../http/params.ts'
import { ACTIVE_USERS, type ActivityAnswer, askForActivity, NEW_USERS, STICKINESS } from '../../faces/activity/home.ts'
import { AVERAGE_SESSION, SESSIONS } from '../../faces/activity/sessions.tsx'
import { EVENTS } from '../../faces/events/home.tsx'
import type { DailySeries, HomeFigure } from '../../faces/home-figure.ts'
import { NET_REVENUE } from '../../faces/revenue/home.tsx'
import { askForTrend, intervalOf, type TrendAnswer } from '../../faces/trends/home.ts'
import { askBefore, type Compared } from '../../figures/comparison.ts'
import { money } from '../../figures/declared.ts'
import { commonQuery, type View } from '../../request/address.ts'
import type { ApplicationRequest, OnPage } from '../../request/application-request.ts'
import { type Attempt, attempt } from '../../request/problem.tsx'

/** Answers by what asked for them; without those that could not be answered. */
type Answers = ReadonlyMap<HomeFigure['ask'], unknown>

/** The tiles of Home and its chart. */
export interface HomeAnswer {
  readonly activity: ActivityAnswer
  readonly answers: Answers
  /** What the previous period answers, as far as the chart and the tiles need it. */
  readonly compared: Compared<Answers>
  readonly figures: readonly HomeFigure[]
  /** The one that is drawn. */
  readonly figure: HomeFigure
  readonly interval: TrendInterval
  /** The figure by another interval than days. */
  readonly trend: TrendAnswer | null
}

/** What the parts of Home show. */
export interface HomeShown extends OnPage {
  readonly answer: HomeAnswer
}

const ALWAYS: readonly HomeFigure[] = [ACTIVE_USERS, NEW_USERS, SESSIONS, AVERAGE_SESSION, STICKINESS]

/** The one that an address asks for. */
function figureOf({ params }: View, figures: readonly HomeFigure[]): HomeFigure {
  return figures.find(({ name }) => name === params.get('metric')) ?? ACTIVE_USERS
}

export async function askForHome(request: ApplicationRequest): Promise<Attempt<HomeAnswer>> {
  const { view, context } = request
  const query = commonQuery(view)
  const asked = figureOf(view, [...ALWAYS, NET_REVENUE, EVENTS])
  const by = intervalOf(asked, view)
  const paid = attempt(NET_REVENUE.ask(query, context))
  const isFree = async () => ((await paid).data?.currencies.length ?? 0) === 0
  const [activity, compared, sessions, revenue, events, trend] = await Promise.all([
    attempt(askForActivity(query, context)),
    askBefore(request, (before) => askAll([ACTIVE_USERS, asked], before, context)),
    attempt(SESSIONS.ask(query, context)),
    paid,
    // Without a payment they have a tile.
    isFree().then((is) => (is ? attempt(EVENTS.ask(query, context)) : null)),
    by === 'day' ? null : attempt(askForTrend(asked, by, request)),
  ])
  if (activity.problem) return activity
  const last = (await isFree()) ? EVENTS : { ...NET_REVENUE, unit: money(revenue.data?.currency ?? '') }
  const figures = [...ALWAYS, last]
  const figure = figureOf(view, figures)
  const answers = new Map<HomeFigure['ask'], unknown>([
    [askForActivity, activity.data],
    [SESSIONS.ask, sessions.data],
    [NET_REVENUE.ask, revenue.data],
    [EVENTS.ask, events?.data],
  ])
  const shown = figure.name === asked.name && trend?.data ? trend.data : null
  const interval = shown ? by : 'day'
  return {
    problem: null,
    data: { activity: activity.data, answers, compared, figures, figure, interval, trend: shown },
  }
}

/** What tiles compare, and what the chart draws beside the chosen figure. */
async function askAll(figures: readonly HomeFigure[], query: QueryParams, context: RequestContext): Promise<Answers> {
  const asks = [...new Set(figures.map(({ ask }) => ask))]
  return new Map(await Promise.all(asks.map(async (ask) => [ask, await ask(query, context)] as const)))
}

/** The series of a figure by day; null where it was not asked or could not be answered. */
export function dailySeries({ ask, seriesIn }: HomeFigure, answers: Answers | null): DailySeries | null {
  const answer = answers?.get(ask)
  return answer ? seriesIn(answer) : null
}
