import type { Interval } from '../../../base/time/intervals.ts'
import { GroupBars } from '../../figures/bars.tsx'
import { previousPeriod } from '../../figures/comparison.ts'
import { COUNT, othersOf } from '../../figures/declared.ts'
import { Nothing } from '../../figures/empty.tsx'
import { FigureTable } from '../../figures/figure-table.tsx'
import { type UsersHref, usersHrefOf } from '../../figures/figure-users.ts'
import { CsvLink, Plot } from '../../figures/plot.tsx'
import { dayLabels } from '../../figures/plot-labels.ts'
import { StatTiles } from '../../figures/stat-tiles.tsx'
import { numberColumn } from '../../figures/table.tsx'
import { hrefTo, hrefWith } from '../../request/address.ts'
import type { ApplicationRequest } from '../../request/application-request.ts'
import { counted, toMoney } from '../../words/format.ts'
import { type LtvAnswer, LtvFigures } from './ltv.tsx'
import { linesOf, type Metric, metricOf, metricsIn, type RevenueAnswer, revenue } from './question.ts'

interface RevenueShown extends Pick<ApplicationRequest, 'view' | 'home'> {
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
  const metric = metricOf(view, metricsIn(answer.currency))
  // A page names the currency, which the question need not.
  const usersHref = usersHrefOf(home, revenue.path, { ...revenue.query(view), currency: answer.currency })
  return (
    <>
      <Tiles {...shown} metric={metric} usersHref={usersHref} />
      <Chart {...shown} metric={metric} usersHref={usersHref} />
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

interface MetricShown extends RevenueShown {
  readonly metric: Metric
  readonly usersHref: UsersHref
}

function Tiles({ view, answer, isComparable, metric, usersHref }: MetricShown) {
  const stats = metricsIn(answer.currency).flatMap((one) =>
    linesOf({ ...answer, groups: [] }, one, usersHref).map(({ total }) => ({
      ...total,
      change: isComparable ? total.change : null,
      href: hrefWith(view, { metric: one.name }),
      isCurrent: one.name === metric.name,
    })),
  )
  return <StatTiles stats={stats} vs={previousPeriod(view)} />
}

function Chart(shown: MetricShown) {
  const { view, home, answer, metric, usersHref } = shown
  return (
    <Plot
      title={metric.unit === COUNT ? `${metric.label} by day` : `${metric.label} by day, ${answer.currency}`}
      kind="lines"
      {...dayLabels(answer.xValues.data, view)}
      unit={metric.unit}
      legend={answer.groups.length > 0 && <Groups {...shown} />}
      series={linesOf(answer, metric, usersHref)}
    >
      <p class="more">
        <CsvLink view={view} href={`${home}/revenue.csv`} />
      </p>
    </Plot>
  )
}

function Groups({ view, answer, isComparable, metric, usersHref }: MetricShown) {
  const { groupBy, groups, groups_total: total, other } = answer
  const [ofOthers] = other ? linesOf({ ...answer, groups: [other] }, metric, () => undefined) : []
  return (
    <GroupBars
      title={metric.label}
      measure={metric}
      view={view}
      properties={[groupBy]}
      lines={linesOf(answer, metric, usersHref)}
      others={othersOf({ groups_total: total, other: ofOthers }, groups.length)}
      isCompared={isComparable}
    >
      <p class="hint">
        {isComparable && `Change: vs ${previousPeriod(view)}. `}
        {total !== groups.length && `The ${groups.length} groups with the largest gross revenue, and all others.`}
      </p>
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
