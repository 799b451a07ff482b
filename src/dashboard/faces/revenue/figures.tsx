import type { Interval } from '../../../base/time/intervals.ts'
import { MAX_GROUPS } from '../../../columns/selection/filter.ts'
import { Bar, BarsHead, GroupName } from '../../figures/bars.tsx'
import { NO_EARLIER_DATA, previousPeriod } from '../../figures/comparison.ts'
import { Nothing } from '../../figures/empty.tsx'
import { usersHrefOf } from '../../figures/figure-users.ts'
import { MAX_LINES, Plot, SeriesTick } from '../../figures/plot.tsx'
import { StatTiles } from '../../figures/stat-tiles.tsx'
import { ListTable, NumberCell, numberColumn } from '../../figures/table.tsx'
import { commonQuery, endsToday, hrefTo, hrefWith, ownQuery, type View } from '../../request/address.ts'
import { counted, toAmount, toWeekday } from '../../words/format.ts'
import { labelOfProperty, labelOfValue } from '../../words/labels.ts'
import { type LtvAnswer, LtvFigures } from './ltv.tsx'
import { METRICS, type Metric, metricOf, type RevenueAnswer, seriesOf } from './question.ts'

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
  const metric = metricOf(view)
  return (
    <>
      <Tiles {...shown} metric={metric} />
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

/** The users of a metric's figures, where these count users; of a group where it has a name. */
function usersOfMetric({ view, home, answer: { currency } }: UsersOfRevenue, { name: series }: Metric) {
  const query = { ...commonQuery(view), ...ownQuery(view, ['group_by']), currency }
  const usersHref = usersHrefOf(home, '/revenue', query)
  return (at: { readonly day?: string }, group?: string): string | undefined => {
    if (series !== 'payers' && series !== 'new_payers') return undefined
    return usersHref({ series, ...at, ...(group !== undefined && { group: [group] }) })
  }
}

function Tiles({ view, home, answer, isComparable, metric }: RevenueShown & { metric: Metric }) {
  const stats = METRICS.map((one) => {
    const { total, change, key_value: value } = seriesOf(answer.yValues, one)
    return {
      label: one.label,
      hint: one.hint,
      value: one.toText(total ?? value),
      users: value > 0 ? usersOfMetric({ view, home, answer }, one)({}) : undefined,
      // More refunds are no success, as the colour of a rise would say.
      change: isComparable && one.name !== 'refunds' ? change : null,
      ...(!isComparable && { note: NO_EARLIER_DATA }),
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
  const title = metric.toText === toAmount ? `${metric.label} by day, ${currency}` : `${metric.label} by day`
  return (
    <Plot
      title={title}
      kind="lines"
      of="Day"
      labels={xValues.data}
      toLabel={toWeekday}
      toText={metric.toText}
      isOpen={endsToday(view)}
      legend={groups.length > 0 && <Groups view={view} home={home} answer={answer} metric={metric} />}
      series={lines.length > 0 ? lines : [all]}
    >
      <p class="more">
        <a href={hrefWith({ ...view, path: `${home}/revenue.csv` }, {})} download>
          CSV
        </a>
      </p>
    </Plot>
  )
}

function Groups({ view, home, answer, metric }: UsersOfRevenue & { metric: Metric }) {
  const usersOf = usersOfMetric({ view, home, answer }, metric)
  const { groupBy, groups } = answer
  const totals = groups.map(({ yValues }) => seriesOf(yValues, metric).total)
  const most = Math.max(...totals) || 1
  const title = labelOfProperty(groupBy)
  return (
    <section class="groups">
      <h2>{`${metric.label} by ${title}`}</h2>
      <table class="bars">
        <BarsHead title={title} columns={[numberColumn(metric.label)]} />
        <tbody>
          {groups.map(({ name }, place) => (
            <tr>
              <th scope="row">
                <Bar part={Math.max(0, totals[place] ?? 0)} whole={most} />
                <SeriesTick name={labelOfValue(groupBy, name)} place={place} isUndrawn={place >= MAX_LINES} />
                <GroupName view={view} properties={[groupBy]} name={name} of="events" />
              </th>
              <NumberCell
                value={totals[place] ?? 0}
                text={metric.toText(totals[place] ?? 0)}
                users={usersOf({}, name)}
              />
            </tr>
          ))}
        </tbody>
      </table>
      {groups.length === MAX_GROUPS && <p class="hint">Top {MAX_GROUPS} groups by gross revenue.</p>}
    </section>
  )
}

function Currencies({ view, home, answer }: Pick<RevenueShown, 'view' | 'home' | 'answer'>) {
  const { currencies, skipped } = answer
  return (
    <section class="card">
      <h2>Currencies</h2>
      <ListTable label="Currencies" columns={['Currency', numberColumn('Payments'), numberColumn('Net revenue')]}>
        {currencies.map(({ currency, payments, net }) => (
          <tr>
            <th scope="row">
              <a href={hrefWith(view, { currency })}>{currency}</a>
            </th>
            <NumberCell value={payments} />
            <NumberCell value={net} text={toAmount(net)} />
          </tr>
        ))}
      </ListTable>
      <p class="hint">
        {'Currencies are never added together. '}
        {skipped > 0 && `${counted(skipped, 'event')} left out: no amount or no currency. `}
        <a href={hrefTo(view, `${home}/settings/revenue`)}>What counts as revenue</a>
      </p>
    </section>
  )
}
