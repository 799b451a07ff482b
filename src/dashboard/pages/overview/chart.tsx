import { Bars } from '../../figures/bars.tsx'
import { comparedTimes, lineBefore } from '../../figures/comparison.ts'
import { usersHrefOf } from '../../figures/figure-users.ts'
import { Plot } from '../../figures/plot.tsx'
import type { PlottedSeries } from '../../figures/plot-drawing.tsx'
import { dayLabels, intervalLabels, untilNow } from '../../figures/plot-labels.ts'
import { IntervalSwitch } from '../../forms/segments.tsx'
import { commonQuery, hrefTo } from '../../request/address.ts'
import { Facts } from './facts.tsx'
import { intervalsFor, trendQuery } from './metrics.ts'
import { dailySeries, type HomeShown } from './question.ts'

/** The metric of the chosen tile, and what else there is to say about it. */
export function MetricChart(shown: HomeShown) {
  const { view, answer } = shown
  const { metric, interval } = answer
  const { label, unit } = metric
  const lengths = metric.name === 'session' ? answer.sessions?.lengths.data : null
  return (
    <div class="metric" id="chart">
      <Plot title={label} kind="lines" unit={unit} {...(interval === 'day' ? dailyPlot(shown) : trendPlot(shown))}>
        <IntervalSwitch view={view} offered={intervalsFor(metric, view)} current={interval} />
      </Plot>
      {lengths && <SessionLengths {...lengths} />}
      <Facts {...shown} />
      {metric.name === 'revenue' && (
        <p class="more">
          <a href={hrefTo(view, `${shown.home}/revenue`)}>Revenue report</a>
        </p>
      )}
    </div>
  )
}

interface Plotted {
  readonly of: string
  readonly labels: readonly string[]
  readonly toLabel: (label: string) => string
  readonly toMark?: (label: string) => string
  readonly isOpen: boolean
  readonly series: readonly PlottedSeries[]
}

function dailyPlot({ view, home, answer }: HomeShown): Plotted {
  const { metric, compared, activity } = answer
  const now = dailySeries(metric, answer)
  const before = compared.before && dailySeries(metric, compared.before)
  const usersHref = usersHrefOf(home, '/users/activity', commonQuery(view))
  return {
    ...dayLabels(activity.xValues.data, view),
    series: [
      {
        name: metric.label,
        data: now?.data ?? [],
        usersAt: metric.users && ((day) => usersHref({ series: metric.users, day })),
      },
      ...(before ? [lineBefore(view, before.data)] : []),
    ],
  }
}

function trendPlot({ view, home, clock, answer: { metric, interval, trend, compared } }: HomeShown): Plotted {
  const labels = trend?.xValues.data ?? []
  const [one] = trend?.yValues ?? []
  const data = one?.data ?? []
  const query = { ...commonQuery(view), ...trendQuery(metric, interval) }
  const usersHref = usersHrefOf(home, '/events/trends', query)
  const isHour = interval === 'hour'
  const times = comparedTimes(view, { interval, compare: 'previous', labels }, clock)
  return {
    ...intervalLabels({ interval, labels }, view, clock),
    series: [
      {
        name: metric.label,
        data: isHour ? untilNow(labels, data, clock) : data,
        usersAt: metric.trend?.mode === 'uniques' ? (at) => usersHref({ series: 'A', interval: at }) : undefined,
      },
      ...(compared.query && one?.compared ? [lineBefore(view, one.compared, times)] : []),
    ],
  }
}

interface LengthsShown {
  readonly series: readonly (readonly number[])[]
  readonly xValues: readonly string[]
}

function SessionLengths({ series, xValues }: LengthsShown) {
  const counts = series[0] ?? []
  const all = counts.reduce((sum, count) => sum + count, 0)
  if (all === 0) return null
  const rows = xValues.map((label, place) => ({ label, value: counts[place] ?? 0 }))
  return (
    <section class="beside">
      <h3>Session length</h3>
      <Bars title="Session length" of="Sessions" rows={rows} whole={all} />
    </section>
  )
}
