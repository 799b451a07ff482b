import { intervalsFor, trendPlot } from '../../faces/trends/home.ts'
import { lineBefore } from '../../figures/comparison.ts'
import { Plot } from '../../figures/plot.tsx'
import { dayLabels } from '../../figures/plot-labels.ts'
import { type Stat, StatValue } from '../../figures/stat-tiles.tsx'
import { IntervalSwitch } from '../../forms/segments.tsx'
import { dailySeries, type HomeShown } from './question.ts'

/** The figure of the chosen tile, and what else there is to say about it. */
export function FigureChart({ view, home, clock, answer }: HomeShown) {
  const { figure, interval, trend, compared, answers } = answer
  const isComparable = compared.query !== null
  const shown = { figure, interval, isComparable, view, home, clock }
  const found = answers.get(figure.ask)
  const before = compared.before?.get(figure.ask) ?? null
  return (
    <div class="metric" id="chart">
      <Plot
        title={figure.label}
        kind="lines"
        unit={figure.unit}
        {...(trend ? trendPlot({ ...shown, answer: trend }) : dailyPlot({ view, home, answer }))}
      >
        <IntervalSwitch view={view} offered={intervalsFor(figure, view)} current={interval} />
      </Plot>
      {found && (
        <>
          <Asides stats={figure.asidesIn?.(found, { view, home, compared: { ...compared, before } }) ?? []} />
          {figure.drawBelow?.(found, { view, home })}
        </>
      )}
    </div>
  )
}

function dailyPlot({ view, home, answer }: Pick<HomeShown, 'view' | 'home' | 'answer'>) {
  const { figure, activity, answers, compared } = answer
  const before = dailySeries(figure, compared.before)
  const usersOf = figure.usersOf?.(view, home)
  return {
    ...dayLabels(activity.xValues.data, view),
    series: [
      {
        name: figure.label,
        data: dailySeries(figure, answers)?.data ?? [],
        usersAt: usersOf && ((day: string) => usersOf({ day })),
      },
      ...(before ? [lineBefore(view, before.data)] : []),
    ],
  }
}

/** What belongs to a figure besides its chart. */
function Asides({ stats }: { stats: readonly Stat[] }) {
  if (stats.length === 0) return null
  return (
    <dl class="asides">
      {stats.map((stat) => (
        <div class="aside">
          <dt title={stat.hint}>{stat.label}</dt>
          <dd>
            <StatValue {...stat} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
