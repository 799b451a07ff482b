import type { RequestContext } from '../../../http/context.ts'
import type { QueryParams } from '../../../http/params.ts'
import { getRevenueRoute } from '../../../questions/revenue/routes.ts'
import { commonQuery, ownQuery, type View } from '../../request/address.ts'
import type { AnswerTo } from '../../request/application-request.ts'
import { toAmount, toCount } from '../../words/format.ts'

export type RevenueAnswer = AnswerTo<typeof getRevenueRoute>

export const REVENUE_PARAMS = ['currency', 'group_by', 'metric', 'interval']

/** What can be drawn. */
export const METRICS = [
  { name: 'net', label: 'Net revenue', hint: 'Sales and renewals, less refunds', toText: toAmount },
  { name: 'gross', label: 'Gross revenue', hint: 'Sales and renewals', toText: toAmount },
  { name: 'refunds', label: 'Refunds', hint: 'On the day of the refund', toText: toAmount },
  { name: 'payments', label: 'Payments', hint: 'Number of sales and renewals', toText: toCount },
  { name: 'payers', label: 'Payers', hint: 'Unique users with a payment', toText: toCount },
  { name: 'new_payers', label: 'New payers', hint: 'Users whose first payment ever is in the period', toText: toCount },
  { name: 'arpu', label: 'ARPU', hint: 'Net revenue per active user', toText: toAmount },
  { name: 'arppu', label: 'ARPPU', hint: 'Net revenue per payer', toText: toAmount },
] as const

export type Metric = (typeof METRICS)[number]

/** The one that an address asks for; net revenue by default. */
export function metricOf({ params }: Pick<View, 'params'>): Metric {
  return METRICS.find(({ name }) => name === params.get('metric')) ?? METRICS[0]
}

export function revenueQuery(view: View): QueryParams {
  return { ...commonQuery(view), ...ownQuery(view, ['currency', 'group_by']) }
}

export function askForRevenue(view: View, context: RequestContext): Promise<RevenueAnswer> {
  return getRevenueRoute.ask({ query: revenueQuery(view) }, context)
}

type Series = RevenueAnswer['yValues'][number]

export function seriesOf(yValues: readonly Series[], { name }: Pick<Metric, 'name'>): Series {
  const found = yValues.find((series) => series.name === name)
  if (!found) throw new Error(`The answer has no series "${name}"`)
  return found
}
