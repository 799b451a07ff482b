import type { TrendInterval } from '../../../base/time/divided-period.ts'
import { SESSION_GAP_MINUTES } from '../../../columns/selection/sessions.ts'
import { ANY_EVENT } from '../../../questions/engine/event-name.ts'
import { MAX_INTERVALS } from '../../../questions/engine/period.ts'
import { MAX_DAYS_OF_HOURS } from '../../../questions/trends/division.ts'
import { COUNT, type Declared, money, SECONDS, VALUE } from '../../figures/declared.ts'
import { daysOf, type View } from '../../request/address.ts'
import { toFigure } from '../../words/format.ts'

/** What a tile of Home says, and what the chart draws when it is chosen. */
export interface HomeMetric extends Declared {
  readonly name: 'users' | 'new' | 'sessions' | 'session' | 'dau_mau' | 'revenue' | 'events'
  /** The series of activity whose users it counts. */
  readonly users?: 'dau' | 'new'
  /** The series of trends that counts it by any interval; without one, it is counted by day. */
  readonly trend?: { readonly mode: 'uniques' | 'totals'; readonly isFirstTime?: true }
}

const METRICS: readonly HomeMetric[] = [
  {
    name: 'users',
    label: 'Active users',
    hint: 'Unique users with at least one event in the period',
    unit: COUNT,
    users: 'dau',
    trend: { mode: 'uniques' },
  },
  {
    name: 'new',
    label: 'New users',
    hint: 'Users whose first event ever is in the period',
    unit: COUNT,
    users: 'new',
    trend: { mode: 'uniques', isFirstTime: true },
  },
  {
    name: 'sessions',
    label: 'Sessions',
    hint: `A session ends after ${SESSION_GAP_MINUTES} minutes of inactivity`,
    unit: COUNT,
  },
  {
    name: 'session',
    label: 'Avg. session',
    hint: 'Time from the first event of a session to its last, on average',
    unit: SECONDS,
  },
  {
    name: 'dau_mau',
    label: 'DAU/MAU',
    hint: 'Stickiness: daily active users as a percentage of monthly active users, on average',
    unit: { toText: (value) => `${toFigure(value)}%`, isPercent: true },
  },
  // Which currency it is in is known with the answer.
  { name: 'revenue', label: 'Net revenue', hint: 'Payments in the period, less refunds', unit: VALUE },
  {
    name: 'events',
    label: 'Events',
    hint: 'Events of any name in the period',
    unit: COUNT,
    trend: { mode: 'totals' },
  },
]

/** Six: the last is revenue once there is a payment, in its currency. */
export function metricsShown(currency: string | null): readonly HomeMetric[] {
  return METRICS.filter(({ name }) => name !== (currency === null ? 'revenue' : 'events')).map((metric) =>
    metric.name === 'revenue' ? { ...metric, unit: money(currency ?? '') } : metric,
  )
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
