import { getRevenueRoute } from '../../../questions/revenue/routes.ts'
import { analyzeRevenueLtvRoute } from '../../../questions/revenue-ltv/routes.ts'
import type { SeriesLine } from '../../figures/bars.tsx'
import { COUNT, type Declared, money } from '../../figures/declared.ts'
import type { ToUsers } from '../../figures/figure-users.ts'
import type { View } from '../../request/address.ts'
import type { AnswerTo } from '../../request/application-request.ts'
import { pageQuestion } from '../../request/page-question.ts'
import { labelOfValue } from '../../words/labels.ts'

export type RevenueAnswer = AnswerTo<typeof getRevenueRoute>

export const revenue = pageQuestion(getRevenueRoute)
export const ltv = pageQuestion(analyzeRevenueLtvRoute)

/** What can be drawn, in the currency of the answer. */
export function metricsIn(currency: string) {
  const unit = money(currency)
  return [
    { name: 'net', label: 'Net revenue', hint: 'Sales and renewals, less refunds', unit },
    { name: 'gross', label: 'Gross revenue', hint: 'Sales and renewals', unit },
    { name: 'refunds', label: 'Refunds', hint: 'On the day of the refund', unit, rise: 'bad' },
    { name: 'payments', label: 'Payments', hint: 'Number of sales and renewals', unit: COUNT },
    { name: 'payers', label: 'Payers', hint: 'Unique users with a payment', unit: COUNT },
    {
      name: 'new_payers',
      label: 'New payers',
      hint: 'Users whose first payment ever is in the period',
      unit: COUNT,
    },
    { name: 'arpu', label: 'ARPU', hint: 'Net revenue per active user', unit },
    { name: 'arppu', label: 'ARPPU', hint: 'Net revenue per payer', unit },
  ] as const satisfies readonly (Declared & { readonly name: string })[]
}

export type Metric = ReturnType<typeof metricsIn>[number]

/** The one that an address asks for; net revenue by default. */
export function metricOf({ params }: Pick<View, 'params'>, metrics: readonly Metric[]): Metric {
  return metrics.find(({ name }) => name === params.get('metric')) ?? (metrics[0] as Metric)
}

type Series = RevenueAnswer['yValues'][number]

/** The answer has fewer metrics of all others than of a group. */
type GroupSeries = Pick<RevenueAnswer['groups'][number], 'name' | 'yValues'>

/** A metric of each group or, without groups, of all. Those that count users lead to them. */
export function linesOf(
  {
    groupBy,
    groups,
    yValues,
  }: Pick<RevenueAnswer, 'groupBy' | 'yValues'> & { readonly groups: readonly GroupSeries[] },
  metric: Metric,
  usersOf: ToUsers,
): SeriesLine[] {
  const isOfUsers = metric.name === 'payers' || metric.name === 'new_payers'
  const lineOf = (group: string | null, own: readonly Series[]): SeriesLine => {
    const found = own.find(({ name }) => name === metric.name)
    const at = { series: metric.name, ...(group !== null && { group: [group] }) }
    const usersAt = (day?: string) => (isOfUsers ? usersOf({ ...at, day }) : undefined)
    return {
      name: group === null ? metric.label : labelOfValue(groupBy, group),
      group,
      data: found?.data ?? [],
      usersAt,
      total: { ...metric, value: found?.total ?? null, change: found?.change, users: usersAt() },
    }
  }
  return groups.length > 0 ? groups.map(({ name, yValues: own }) => lineOf(name, own)) : [lineOf(null, yValues)]
}
