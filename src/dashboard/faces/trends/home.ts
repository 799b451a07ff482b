import type { TrendInterval } from '../../../base/time/divided-period.ts'
import { ANY_EVENT } from '../../../questions/engine/event-name.ts'
import { MAX_INTERVALS } from '../../../questions/engine/period.ts'
import { MAX_DAYS_OF_HOURS } from '../../../questions/trends/division.ts'
import { analyzeTrendsRoute } from '../../../questions/trends/routes.ts'
import { comparedTimes, lineBefore } from '../../figures/comparison.ts'
import { usersHrefOf } from '../../figures/figure-users.ts'
import { intervalLabels, untilNow } from '../../figures/plot-labels.ts'
import { commonQuery, daysOf, type View } from '../../request/address.ts'
import type { AnswerTo, ApplicationRequest, OnPage } from '../../request/application-request.ts'
import type { HomeFigure } from '../home-figure.ts'

/** A figure of Home by an interval. */
export type TrendAnswer = AnswerTo<typeof analyzeTrendsRoute>

/** A period rarely begins on a Monday, so it touches a week more than it is long. */
const MAX_DAYS: Partial<Readonly<Record<TrendInterval, number>>> = {
  hour: MAX_DAYS_OF_HOURS,
  week: (MAX_INTERVALS.week - 1) * 7,
}

/** The intervals that a period has more than one of; a single day has hours. */
export function intervalsFor({ trend }: HomeFigure, view: View): TrendInterval[] {
  if (!trend) return ['day']
  const days = daysOf(view)
  const isFitting = { hour: true, day: days > 1, week: days > 7, month: days >= 28 }
  return (['hour', 'day', 'week', 'month'] as const).filter(
    (name) => isFitting[name] && days <= (MAX_DAYS[name] ?? days),
  )
}

/** The one that an address asks for, if the figure has it: days by default. */
export function intervalOf(figure: HomeFigure, view: View): TrendInterval {
  const offered = intervalsFor(figure, view)
  return offered.find((name) => name === view.params.get('interval')) ?? (offered.includes('day') ? 'day' : 'hour')
}

function trendQuery({ label, trend }: HomeFigure, interval: TrendInterval, view: View) {
  return {
    ...commonQuery(view),
    series: JSON.stringify([{ event: ANY_EVENT, mode: trend?.mode, name: label }]),
    interval,
    compare: 'previous',
    ...(trend?.isFirstTime && { first_time: 'true' }),
  }
}

export function askForTrend(figure: HomeFigure, interval: TrendInterval, { view, context }: ApplicationRequest) {
  return analyzeTrendsRoute.ask({ query: trendQuery(figure, interval, view) }, context)
}

interface TrendShown extends OnPage {
  readonly figure: HomeFigure
  readonly interval: TrendInterval
  readonly answer: TrendAnswer
  /** Whether figures can be compared with the time before. */
  readonly isComparable: boolean
}

/** What a plot shows of it. */
export function trendPlot({ figure, interval, answer, isComparable, view, home, clock }: TrendShown) {
  const labels = answer.xValues.data
  const [one] = answer.yValues
  const data = one?.data ?? []
  const usersHref = usersHrefOf(home, analyzeTrendsRoute.contract.path, trendQuery(figure, interval, view))
  const times = comparedTimes(view, { interval, compare: 'previous', labels }, clock)
  const isUsers = figure.trend?.mode === 'uniques'
  return {
    ...intervalLabels({ interval, labels }, view, clock),
    series: [
      {
        name: figure.label,
        data: interval === 'hour' ? untilNow(labels, data, clock) : data,
        usersAt: isUsers ? (at: string) => usersHref({ series: 'A', interval: at }) : undefined,
      },
      ...(isComparable && one?.compared ? [lineBefore(view, one.compared, times)] : []),
    ],
  }
}
