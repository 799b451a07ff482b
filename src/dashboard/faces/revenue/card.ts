import type { getRevenueRoute } from '../../../questions/revenue/routes.ts'
import type { CardFigures } from '../../figures/card-figures.ts'
import type { View } from '../../request/address.ts'
import type { AnswerTo } from '../../request/application-request.ts'
import { toAmount } from '../../words/format.ts'
import { metricOf, seriesOf } from './question.ts'

export function drawRevenue({ currency, xValues, yValues }: AnswerTo<typeof getRevenueRoute>, view: View): CardFigures {
  const metric = metricOf(view)
  const { name, data, total, key_value: value } = seriesOf(yValues, metric)
  const payers = yValues.find((series) => series.name === 'payers')
  const refunds = yValues.find((series) => series.name === 'refunds')
  // Nobody knows how many users were refunded: gross revenue would tell it beside net revenue.
  const usersBehind = (users = 0, refunded = 0) => (name === 'refunds' || (name === 'gross' && refunded) ? 0 : users)
  const label = metric.toText === toAmount ? `${metric.label}, ${currency}` : metric.label
  return {
    headlines: [
      { label, value: metric.toText(total ?? value), users: usersBehind(payers?.key_value, refunds?.total ?? 0) },
    ],
    chart: {
      labels: xValues.data,
      lines: [{ name: metric.label, group: null, data, total: null }],
      toText: metric.toText,
      users: data.map((_, day) => usersBehind(payers?.data[day] ?? 0, refunds?.data[day] ?? 0)),
    },
    list: null,
  }
}
