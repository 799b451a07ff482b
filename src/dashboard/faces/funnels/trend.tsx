import { toDate } from '../../../base/time/days.ts'
import { boundsOf, type Interval } from '../../../base/time/intervals.ts'
import { daysIn } from '../../../base/time/period.ts'
import type { QueryParams } from '../../../http/params.ts'
import { PERCENT } from '../../figures/declared.ts'
import { usersHrefOf, usersOfGroup } from '../../figures/figure-users.ts'
import { fittingInterval } from '../../figures/fitting-interval.ts'
import { MAX_LINES, Plot } from '../../figures/plot.tsx'
import { groupsOf } from '../../forms/question-form.tsx'
import { endsToday, toQuery, type View } from '../../request/address.ts'
import { toWeekday } from '../../words/format.ts'
import { labelOfGroup } from '../../words/labels.ts'
import { type FunnelAnswer, type FunnelFigures, funnel } from './question.ts'

/** Conversion from interval to interval: each is a funnel of its own, of the users who entered it then. */
export interface FunnelTrend {
  readonly interval: Interval
  /** The days of each interval, as questions name them. */
  readonly parts: readonly { readonly start: string; readonly end: string }[]
  readonly labels: readonly string[]
  readonly series: readonly { readonly name: string; readonly percents: readonly (number | null)[] }[]
}

/** More would wait in line for one another. */
const ASKED_AT_ONCE = 4

/** Null if the period is one interval. */
export async function askForTrend(
  view: View,
  ask: (query: QueryParams) => Promise<FunnelAnswer>,
): Promise<FunnelTrend | null> {
  const interval = fittingInterval(view.period)
  const parts = partsOf(view, interval)
  if (parts.length < 2) return null
  const answers: FunnelAnswer[] = []
  for (let place = 0; place < parts.length; place += ASKED_AT_ONCE) {
    answers.push(...(await Promise.all(parts.slice(place, place + ASKED_AT_ONCE).map((part) => ask(toQuery(part))))))
  }
  const names = new Set(answers.flatMap(({ yValues }) => yValues.map(({ name }) => name)))
  return {
    interval,
    parts: parts.map(toQuery),
    labels: parts.map(({ from }) => toDate(from)),
    series: [...names].map((name) => ({ name, percents: answers.map((answer) => conversionOf(answer, name)) })),
  }
}

/** The intervals of a period, without days before it or to come. */
function partsOf({ period, today }: View, interval: Interval) {
  if (!period) return []
  const bounds = boundsOf(period, interval, today)
  return bounds.slice(0, -1).flatMap((first, place) => {
    const part = { from: Math.max(first, period.from), to: Math.min((bounds[place + 1] ?? first) - 1, period.to) }
    return daysIn(part).length > 0 ? [part] : []
  })
}

/** Null if nobody entered, or if the group is not among the largest. */
function conversionOf({ steps }: FunnelAnswer, name: string): number | null {
  const own = steps.filter(({ group }) => group === name)
  return own[0]?.users ? (own.at(-1)?.conversion_from_start ?? null) : null
}

interface TrendShown extends Pick<FunnelFigures, 'all' | 'groups'> {
  readonly view: View
  readonly home: string
  readonly query: QueryParams
  readonly trend: FunnelTrend
}

export function TrendPlot({ view, home, query, trend, all, groups }: TrendShown) {
  const properties = groupsOf(view)
  const { interval, labels, parts } = trend
  const found = new Map(trend.series.map((one) => [one.name, one.percents]))
  const last = { step: all.steps.length }
  const names =
    groups.length > 0
      ? groups.slice(0, MAX_LINES).map(({ name }) => name)
      : trend.series.slice(0, 1).map(({ name }) => name)
  const usersOf = (name: string) => (label: string) => {
    const usersHref = usersHrefOf(home, funnel.path, { ...query, ...parts[labels.indexOf(label)] })
    return groups.length > 0 ? usersOfGroup(usersHref, last, properties, name) : usersHref(last)
  }
  return (
    <Plot
      title={`Conversion by ${interval}`}
      kind="lines"
      unit={PERCENT}
      of="From"
      labels={labels}
      toLabel={toWeekday}
      isOpen={endsToday(view)}
      series={names.map((name) => ({
        name: groups.length > 0 ? labelOfGroup(properties, name) : 'Conversion',
        data: found.get(name) ?? labels.map(() => null),
        usersAt: usersOf(name),
      }))}
    >
      <span class="hint">
        {`Users who entered in each ${interval}. Recent figures can still grow while the conversion window is open.`}
      </span>
    </Plot>
  )
}
