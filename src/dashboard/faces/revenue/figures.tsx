import type { Interval } from '../../../base/time/intervals.ts'
import { GroupBars } from '../../figures/bars.tsx'
import { previousPeriod } from '../../figures/comparison.ts'
import { COUNT, othersOf } from '../../figures/declared.ts'
import { Nothing } from '../../figures/empty.tsx'
import { FigureTable } from '../../figures/figure-table.tsx'
import { usersHrefOf } from '../../figures/figure-users.ts'
import { CsvLink, MAX_LINES, Plot } from '../../figures/plot.tsx'
import { dayLabels } from '../../figures/plot-labels.ts'
import { StatTiles } from '../../figures/stat-tiles.tsx'
import { numberColumn } from '../../figures/table.tsx'
import { commonQuery, hrefTo, hrefWith, ownQuery, type View } from '../../request/address.ts'
import { counted, toMoney } from '../../words/format.ts'
import { labelOfValue } from '../../words/labels.ts'
import { type LtvAnswer, LtvFigures } from './ltv.tsx'
import { type Metric, metricOf, metricsIn, type RevenueAnswer, seriesOf } from './question.ts'

interface RevenueShown {
  readonly view: View
  readonly home: string
  readonly answer: RevenueAnswer
  /** Whether figures can be compared with the time before. */
  readonly isComparable: boolean
  /** Null if it could not be answered. */
  readonly ltv: LtvAnswer | null
  readonly interval: Interval
}

export function RevenueFigures(shown: RevenueShown) {
  const { view, home, answer, ltv, interval } = shown
  if (answer.currencies.length === 0) return <NoPayments {...shown} />
  const metrics = metricsIn(answer.currency)
  const metric = metricOf(view, metrics)
  return (
    <>
      <Tiles {...shown} metrics={metrics} metric={metric} />
      <Chart {...shown} metric={metric} />
      {ltv && ltv.totalUsers > 0 && <LtvFigures ltv={ltv} interval={interval} view={view} home={home} />}
      <Currencies view={view} home={home} answer={answer} />
    </>
  )
}

function NoPayments({ view, home, answer }: RevenueShown) {
  return (
    <Nothing view={view} title="No payments in this period">
      {answer.skipped > 0 && `${counted(answer.skipped, 'event')} left out: no amount or no currency. `}
      {'Payments to your bot are captured automatically if its client captures messages. '}
      <a href={hrefTo(view, `${home}/settings/revenue`)}>Set which other events are payments</a>
    </Nothing>
  )
}

type UsersOfRevenue = Pick<RevenueShown, 'view' | 'home' | 'answer'>

/** Links to the users of a metric's figures if it counts users, and of a group's figures if the group has a name. */
function usersOfMetric({ view, home, answer: { currency } }: UsersOfRevenue, { name: series }: Metric) {
  const query = { ...commonQuery(view), ...ownQuery(view, ['group_by']), currency }
  const usersHref = usersHrefOf(home, '/revenue', query)
  return (at: { readonly day?: string }, group?: string): string | undefined => {
    if (series !== 'payers' && series !== 'new_payers') return undefined
    return usersHref({ series, ...at, ...(group !== undefined && { group: [group] }) })
  }
}

interface TilesShown extends RevenueShown {
  readonly metrics: readonly Metric[]
  readonly metric: Metric
}

function Tiles({ view, home, answer, isComparable, metrics, metric }: TilesShown) {
  const stats = metrics.map((one) => {
    const { total, change, key_value: value } = seriesOf(answer.yValues, one)
    return {
      ...one,
      value: total ?? value,
      users: usersOfMetric({ view, home, answer }, one)({}),
      change: isComparable ? change : null,
      href: hrefWith(view, { metric: one.name }),
      isCurrent: one === metric,
    }
  })
  return <StatTiles stats={stats} vs={previousPeriod(view)} />
}

function Chart({ view, home, answer, metric }: RevenueShown & { metric: Metric }) {
  const { currency, groupBy, groups, xValues, yValues } = answer
  const usersOf = usersOfMetric({ view, home, answer }, metric)
  const lines = groups.map(({ name, yValues: own }, place) => ({
    name: labelOfValue(groupBy, name),
    data: seriesOf(own, metric).data,
    isUndrawn: place >= MAX_LINES,
    usersAt: (day: string) => usersOf({ day }, name),
  }))
  const all = {
    name: metric.label,
    data: seriesOf(yValues, metric).data,
    usersAt: (day: string) => usersOf({ day }),
  }
  return (
    <Plot
      title={metric.unit === COUNT ? `${metric.label} by day` : `${metric.label} by day, ${currency}`}
      kind="lines"
      {...dayLabels(xValues.data, view)}
      unit={metric.unit}
      legend={groups.length > 0 && <Groups view={view} home={home} answer={answer} metric={metric} />}
      series={lines.length > 0 ? lines : [all]}
    >
      <p class="more">
        <CsvLink view={view} href={`${home}/revenue.csv`} />
      </p>
    </Plot>
  )
}

/** The answer has fewer metrics of all others than of a group. */
type GroupFigures = Pick<RevenueAnswer['groups'][number], 'name' | 'yValues'>

function Groups({ view, home, answer, metric }: UsersOfRevenue & { metric: Metric }) {
  const usersOf = usersOfMetric({ view, home, answer }, metric)
  const { groupBy, groups } = answer
  const totalOf = ({ yValues }: GroupFigures) => yValues.find(({ name }) => name === metric.name)?.total ?? null
  return (
    <GroupBars<GroupFigures>
      title={metric.label}
      view={view}
      properties={[groupBy]}
      rows={groups}
      sizeOf={(group) => totalOf(group) ?? 0}
      columns={[{ ...metric, of: totalOf, users: ({ name }) => usersOf({}, name) }]}
      others={othersOf<GroupFigures>(answer, groups.length)}
    >
      {answer.groups_total !== groups.length && (
        <p class="hint">{`The ${groups.length} groups with the largest gross revenue, and all others.`}</p>
      )}
    </GroupBars>
  )
}

function Currencies({ view, home, answer }: Pick<RevenueShown, 'view' | 'home' | 'answer'>) {
  const { currencies, skipped } = answer
  return (
    <section class="card">
      <h2>Currencies</h2>
      <FigureTable
        label="Currencies"
        of="Currency"
        rows={currencies}
        nameOf={({ currency }) => <a href={hrefWith(view, { currency })}>{currency}</a>}
        columns={[
          { label: 'Payments', unit: COUNT, of: ({ payments }) => payments },
          { head: numberColumn('Net revenue'), draw: ({ net, currency }) => toMoney(net, currency) },
        ]}
      />
      <p class="hint">
        {'Currencies are never added together. '}
        {skipped > 0 && `${counted(skipped, 'event')} left out: no amount or no currency. `}
        <a href={hrefTo(view, `${home}/settings/revenue`)}>What counts as revenue</a>
      </p>
    </section>
  )
}
