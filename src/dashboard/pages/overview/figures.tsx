import { toDate } from '../../../base/time/days.ts'
import { precedingPeriod } from '../../../base/time/period.ts'
import type { NumberSeries } from '../../../questions/contract.ts'
import { commonQuery, endsToday, hrefTo, type View } from '../../address.ts'
import { type Compared, NO_EARLIER_DATA, previousDays, previousPeriod, previousSeries } from '../../comparison.ts'
import { HourPlot, type Trends } from '../../components/hour-plot.tsx'
import { Plot } from '../../components/plot.tsx'
import { type Stat, StatTiles } from '../../components/stat-tiles.tsx'
import { type UsersHref, usersHrefOf } from '../../figure-users.ts'
import { type Clock, toCount, toDuration, toFigure, toWeekday } from '../../format.ts'

interface Answered {
  readonly xValues: { readonly data: readonly string[] }
  readonly yValues: readonly NumberSeries[]
}

interface FiguresShown extends Compared<Answered> {
  readonly view: View
  readonly activity: Answered
  readonly sessions: Answered | null
  readonly home: string
  readonly clock: Clock
  /** Of a single day; null for other periods. */
  readonly hours: Trends | null
  /** Null if it could not be answered. */
  readonly revenue: (Answered & { readonly currency: string; readonly currencies: readonly unknown[] }) | null
}

export function OverviewFigures(shown: FiguresShown) {
  const { view, home, activity, before, sessions, hours } = shown
  const now = seriesOf(activity)
  const then = before && seriesOf(before)
  const days = activity.xValues.data
  const shared = { of: 'Day', labels: days, toLabel: toWeekday, toText: toCount }
  const usersHref = usersHrefOf(home, '/users/activity', commonQuery(view))
  const line = (name: string, series: string) => ({
    name,
    data: now(series).data,
    usersAt: (day: string) => usersHref({ series, day }),
  })
  return (
    <>
      <StatTiles
        vs={previousPeriod(view)}
        stats={toStats({ ...shown, usersHref, now, then, sessions: sessions && seriesOf(sessions) })}
      />
      {hours ? (
        <HourPlots {...shown} hours={hours} isCompared={then !== null} />
      ) : (
        <div class="plots">
          <Plot
            {...shared}
            title="Active users"
            kind="lines"
            isOpen={endsToday(view)}
            series={[
              line('Active users', 'dau'),
              ...(then
                ? [{ name: previousSeries(view), data: then('dau').data, times: previousDays(view), isBefore: true }]
                : []),
            ]}
          />
          <Plot
            {...shared}
            title="Growth"
            kind="stack"
            isOpen={endsToday(view)}
            series={[line('New', 'new'), line('Resurrected', 'resurrected'), line('Returning', 'returning')]}
          />
        </div>
      )}
    </>
  )
}

/** Of the series that have a tile, those whose headline counts users. */
const COUNTING_USERS: ReadonlySet<string> = new Set(['dau', 'mau', 'new'])

type HourPlotsShown = Pick<FiguresShown, 'view' | 'clock'> & { readonly hours: Trends; readonly isCompared: boolean }

function HourPlots({ view, clock, hours: { xValues, yValues }, isCompared }: HourPlotsShown) {
  return (
    <div class="plots">
      {yValues.map(({ compared, ...series }) => (
        <HourPlot
          title={series.name}
          view={view}
          clock={clock}
          labels={xValues.data}
          series={isCompared && compared ? { ...series, compared } : series}
          toText={toCount}
        />
      ))}
    </div>
  )
}

type SeriesOf = (name: string) => NumberSeries

function seriesOf({ yValues }: Answered): SeriesOf {
  const byName = new Map(yValues.map((series) => [series.name, series]))
  return (name) => {
    const series = byName.get(name)
    if (!series) throw new Error(`The answer has no series "${name}"`)
    return series
  }
}

interface Series extends Pick<FiguresShown, 'view' | 'earlier' | 'query' | 'home' | 'revenue'> {
  readonly usersHref: UsersHref
  readonly now: SeriesOf
  readonly then: SeriesOf | null
  readonly sessions: SeriesOf | null
}

function toStats({ view, earlier, query, now, then, sessions, usersHref, ...shown }: Series): Stat[] {
  const isFirst = then !== null && then('dau').key_value === 0
  const note = query ? {} : { note: NO_EARLIER_DATA }
  const ofUsers = (name: string) => ({
    value: toCount(now(name).key_value),
    ...(COUNTING_USERS.has(name) && now(name).key_value > 0 && { users: usersHref({ series: name }) }),
    change: then && now(name).change,
    isNew: then !== null && then(name).key_value === 0 && (isFirst || now(name).key_value > 0),
    ...note,
  })
  // The months of the previous period end on these days, from the first to the last.
  const [from, to] = endsBefore(view)
  const since = (day: number) => (earlier.isBeforeMonthOf(day) ? {} : { note: NO_EARLIER_DATA })
  return [
    ...lastDays({
      ...{ view, earlier, usersHref },
      users: then ? [...then('dau').data, ...now('dau').data] : now('dau').data,
    }),
    { label: 'Active users', hint: 'Unique users with at least one event in the period', ...ofUsers('dau') },
    {
      label: 'Monthly active users',
      hint: 'Unique users in the 30 days up to the last day of the period',
      ...ofUsers('mau'),
      ...since(to),
    },
    { label: 'New users', hint: 'Users whose first event ever is in the period', ...ofUsers('new') },
    {
      label: 'DAU/MAU',
      hint: 'Stickiness: daily active users as a percentage of monthly active users, on average',
      ...ofUsers('stickiness'),
      ...since(from),
      value: `${toFigure(now('stickiness').key_value)}%`,
      change: then && now('stickiness').key_value - then('stickiness').key_value,
      unit: 'pp',
    },
    ...(sessions ? sessionStats(sessions, { isNew: isFirst, isCompared: then !== null, ...note }) : []),
    ...revenueStats(shown, { view, isCompared: then !== null, ...note }),
  ]
}

function endsBefore({ period }: View): readonly [from: number, to: number] {
  const before = period && precedingPeriod(period)
  return before ? [before.from, before.to] : [0, 0]
}

function sessionStats(sessions: SeriesOf, shared: Pick<Stat, 'isNew' | 'note'> & { isCompared: boolean }): Stat[] {
  const { isCompared, ...ofBoth } = shared
  const [count, seconds] = [sessions('sessions'), sessions('average_session_length')]
  const changeOf = ({ change }: NumberSeries) => (isCompared ? change : null)
  const hint = 'A session ends after 30 minutes of inactivity'
  return [
    { ...ofBoth, label: 'Sessions', hint, value: toCount(count.key_value), change: changeOf(count) },
    { ...ofBoth, label: 'Avg. session', value: toDuration(seconds.key_value), change: changeOf(seconds) },
  ]
}

type RevenueShared = Pick<Stat, 'note'> & { readonly view: View; readonly isCompared: boolean }

/** Once there is a payment. */
function revenueStats(
  { revenue, home }: Pick<Series, 'revenue' | 'home'>,
  { view, isCompared, ...shared }: RevenueShared,
): Stat[] {
  if (!revenue || revenue.currencies.length === 0) return []
  const of = seriesOf(revenue)
  const { currency } = revenue
  const usersHref = usersHrefOf(home, '/revenue', { ...commonQuery(view), currency })
  const stats = [
    { name: 'net', label: `Net revenue, ${currency}`, hint: 'Payments in the period, less refunds' },
    { name: 'payers', label: 'Payers', hint: 'Unique users with a payment in the period' },
  ]
  return stats.map(({ name, label, hint }) => {
    const { key_value: value, change } = of(name)
    const href = hrefTo(view, `${home}/revenue`, { metric: name })
    const users = name === 'payers' && value > 0 ? usersHref({ series: name }) : undefined
    return { ...shared, label, hint, href, users, value: toCount(value), change: isCompared ? change : null }
  })
}

interface LastDays extends Pick<Series, 'view' | 'earlier' | 'usersHref'> {
  readonly users: readonly number[]
}

/** From today back to yesterday's weekday of the week before. */
const WEEK_BEFORE_DAYS = 8

/** Yesterday is the last whole day, compared with the same weekday before. Only if the period ends today. */
function lastDays({ view: { periodName, today: day }, earlier, users, usersHref }: LastDays): Stat[] {
  const [weekBefore = 0, yesterday, today] = [users.at(-1 - WEEK_BEFORE_DAYS), users.at(-2), users.at(-1)]
  if (periodName === null || yesterday === undefined || today === undefined) return []
  const isComparable = users.length > WEEK_BEFORE_DAYS && earlier.isBefore(day - WEEK_BEFORE_DAYS)
  const change = weekBefore === 0 ? 0 : Math.round((yesterday / weekBefore - 1) * 100)
  const usersOn = (day: number, count: number) =>
    count > 0 ? usersHref({ series: 'dau', day: toDate(day) }) : undefined
  return [
    { label: 'Today', value: toCount(today), change: null, users: usersOn(day, today) },
    {
      label: 'Yesterday',
      value: toCount(yesterday),
      users: usersOn(day - 1, yesterday),
      change: weekBefore === 0 && yesterday === 0 ? null : change,
      vs: `last ${toWeekday(toDate(day - WEEK_BEFORE_DAYS)).slice(0, 3)}`,
      isNew: weekBefore === 0 && yesterday > 0,
      ...(!isComparable && { note: NO_EARLIER_DATA }),
    },
  ]
}
