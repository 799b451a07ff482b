import type { TrendInterval } from '../../../base/time/divided-period.ts'
import { SESSION_GAP_MINUTES } from '../../../columns/selection/sessions.ts'
import { ANY_EVENT } from '../../../questions/engine/event-name.ts'
import { MAX_INTERVALS } from '../../../questions/engine/period.ts'
import { MAX_DAYS_OF_HOURS } from '../../../questions/trends/division.ts'
import { daysOf, type View } from '../../request/address.ts'
import { toAmount, toCount, toDuration, toFigure } from '../../words/format.ts'

/** What a tile of Home says, and what the chart draws when it is chosen. */
export interface HomeMetric {
  readonly name: 'users' | 'new' | 'sessions' | 'session' | 'dau_mau' | 'revenue' | 'events'
  readonly label: string
  readonly hint: string
  readonly toText: (value: number) => string
  readonly unit?: 'percent'
  /** The series of trends that counts it by any interval; without one, it is counted by day. */
  readonly trend?: { readonly mode: 'uniques' | 'totals'; readonly isFirstTime?: true }
}

const METRICS: readonly HomeMetric[] = [
  {
    name: 'users',
    label: 'Active users',
    hint: 'Unique users with at least one event in the period',
    toText: toCount,
    trend: { mode: 'uniques' },
  },
  {
    name: 'new',
    label: 'New users',
    hint: 'Users whose first event ever is in the period',
    toText: toCount,
    trend: { mode: 'uniques', isFirstTime: true },
  },
  {
    name: 'sessions',
    label: 'Sessions',
    hint: `A session ends after ${SESSION_GAP_MINUTES} minutes of inactivity`,
    toText: toCount,
  },
  {
    name: 'session',
    label: 'Avg. session',
    hint: 'Time from the first event of a session to its last, on average',
    toText: toDuration,
  },
  {
    name: 'dau_mau',
    label: 'DAU/MAU',
    hint: 'Stickiness: daily active users as a percentage of monthly active users, on average',
    toText: (value) => `${toFigure(value)}%`,
    unit: 'percent',
  },
  { name: 'revenue', label: 'Net revenue', hint: 'Payments in the period, less refunds', toText: toAmount },
  {
    name: 'events',
    label: 'Events',
    hint: 'Events of any name in the period',
    toText: toCount,
    trend: { mode: 'totals' },
  },
]

/** Six: the last is revenue once there is a payment. */
export function metricsShown(hasRevenue: boolean): readonly HomeMetric[] {
  return METRICS.filter(({ name }) => name !== (hasRevenue ? 'events' : 'revenue'))
}

/** The one that an address asks for. */
export function metricOf({ params }: Pick<View, 'params'>, shown: readonly HomeMetric[] = METRICS): HomeMetric {
  return shown.find(({ name }) => name === params.get('metric')) ?? (METRICS[0] as HomeMetric)
}

/** A period rarely begins on a Monday, so it touches a week more than it is long. */
const MAX_DAYS: Partial<Readonly<Record<TrendInterval, number>>> = {
  hour: MAX_DAYS_OF_HOURS,
  week: (MAX_INTERVALS.week - 1) * 7,
}

/** The intervals that a period has more than one of; a single day has hours. */
export function intervalsFor({ trend }: HomeMetric, view: View): TrendInterval[] {
  if (!trend) return ['day']
  const days = daysOf(view)
  const isFitting = { hour: true, day: days > 1, week: days > 7, month: days >= 28 }
  return (['hour', 'day', 'week', 'month'] as const).filter(
    (name) => isFitting[name] && days <= (MAX_DAYS[name] ?? days),
  )
}

/** The one that an address asks for, if the metric has it: days by default. */
export function intervalOf(metric: HomeMetric, view: View): TrendInterval {
  const offered = intervalsFor(metric, view)
  return offered.find((name) => name === view.params.get('interval')) ?? (offered.includes('day') ? 'day' : 'hour')
}

/** What trends are asked for a metric by an interval. */
export function trendQuery({ label, trend }: HomeMetric, interval: TrendInterval) {
  return {
    series: JSON.stringify([{ event: ANY_EVENT, mode: trend?.mode, name: label }]),
    interval,
    compare: 'previous',
    ...(trend?.isFirstTime && { first_time: 'true' }),
  }
}
