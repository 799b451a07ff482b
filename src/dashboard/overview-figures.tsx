import type { NumberSeries } from '../reports/contract.ts'
import { Plot } from './components/plot.tsx'
import { type Stat, StatTiles } from './components/stat-tiles.tsx'
import { toCount, toDuration, toFigure, toWeekday } from './format.ts'
import { timeBefore } from './time-before.ts'
import { endsToday, type View } from './view.ts'

interface Answered {
  readonly xValues: { readonly data: readonly string[] }
  readonly yValues: readonly NumberSeries[]
}

interface FiguresShown {
  readonly view: View
  readonly activity: Answered
  /** Of the period before; null where that could not be counted, or is not kept: then nothing is compared. */
  readonly before: Answered | null
  readonly sessions: Answered | null
}

/** How many, and more or fewer than before. */
export function OverviewFigures({ view, activity, before, sessions }: FiguresShown) {
  const now = seriesOf(activity)
  const then = before && seriesOf(before)
  const days = activity.xValues.data
  const shared = { of: 'Day', labels: days, toLabel: toWeekday, toText: toCount }
  return (
    <>
      <StatTiles stats={toStats({ view, now, then, sessions: sessions && seriesOf(sessions) })} />
      <div class="plots">
        <Plot
          {...shared}
          title="Active users by day"
          kind="lines"
          isOpen={endsToday(view)}
          series={[
            { name: 'Active users', data: now('dau').data },
            ...(then ? [{ name: 'Before', data: then('dau').data, isBefore: true }] : []),
          ]}
        />
        <Plot
          {...shared}
          title="New and returning users by day"
          kind="stack"
          series={[
            { name: 'New', data: now('new').data },
            { name: 'Back after a pause', data: now('resurrected').data },
            { name: 'Here the day before, too', data: now('returning').data },
          ]}
        />
      </div>
    </>
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

interface Compared {
  readonly view: View
  readonly now: SeriesOf
  readonly then: SeriesOf | null
  readonly sessions: SeriesOf | null
}

function toStats({ view, now, then, sessions }: Compared): Stat[] {
  const before = timeBefore(view)
  const isFirst = then !== null && then('dau').key_value === 0
  const ofUsers = (name: string) => ({
    value: toCount(now(name).key_value),
    change: then && now(name).change,
    before,
    isNew: then !== null && then(name).key_value === 0 && (isFirst || now(name).key_value > 0),
  })
  return [
    ...lastDays(view, then ? [...then('dau').data, ...now('dau').data] : now('dau').data),
    { label: 'Active users', hint: 'Different users with at least one event in the period', ...ofUsers('dau') },
    {
      label: 'Monthly active users',
      hint: 'Different users in the 30 days that end with the last day of the period',
      ...ofUsers('mau'),
    },
    { label: 'New users', hint: 'Users whose first event ever is in the period', ...ofUsers('new') },
    {
      label: 'Stickiness',
      hint: "A day's users in percent of the month's, on average",
      ...ofUsers('stickiness'),
      value: `${toFigure(now('stickiness').key_value)}\u202f%`,
    },
    ...(sessions ? sessionStats(sessions, { before, isNew: isFirst, isCompared: then !== null }) : []),
  ]
}

interface SharedStat extends Pick<Stat, 'before' | 'isNew'> {
  readonly isCompared: boolean
}

function sessionStats(sessions: SeriesOf, { isCompared, ...shared }: SharedStat): Stat[] {
  const { key_value: count, change: more } = sessions('sessions')
  const { key_value: seconds, change: longer } = sessions('average_session_length')
  return [
    {
      ...shared,
      label: 'Sessions',
      hint: 'Visits; 30 minutes without an event end one',
      value: toCount(count),
      change: isCompared ? more : null,
    },
    {
      ...shared,
      label: 'Average session',
      value: toDuration(seconds),
      change: isCompared ? longer : null,
      words: ['longer', 'shorter'],
    },
  ]
}

/** Yesterday is the last whole day; a week before it was the same day of the week. Only where the period ends today. */
function lastDays({ periodName }: View, users: readonly number[]): Stat[] {
  const [weekBefore, yesterday, today] = [users.at(-9), users.at(-2), users.at(-1)]
  if (periodName === null || yesterday === undefined || weekBefore === undefined || today === undefined) return []
  const change = weekBefore === 0 ? 0 : Math.round((yesterday / weekBefore - 1) * 100)
  return [
    { label: 'Today so far', value: toCount(today), change: null, before: '' },
    {
      label: 'Yesterday',
      value: toCount(yesterday),
      change: weekBefore === 0 && yesterday === 0 ? null : change,
      before: 'on the same day a week before',
      isNew: weekBefore === 0 && yesterday > 0,
    },
  ]
}
