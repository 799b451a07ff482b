import type { getRevenueRoute } from '../../../questions/revenue/routes.ts'
import { type CardFigures, headlineOf } from '../../figures/card-figures.ts'
import { endsToday, type View } from '../../request/address.ts'
import type { AnswerTo } from '../../request/application-request.ts'
import { metricOf, metricsIn, seriesOf } from './question.ts'

export function drawRevenue({ currency, xValues, yValues }: AnswerTo<typeof getRevenueRoute>, view: View): CardFigures {
  const metric = metricOf(view, metricsIn(currency))
  const { name, data, total, key_value: value } = seriesOf(yValues, metric)
  const payers = yValues.find((series) => series.name === 'payers')
  const refunds = yValues.find((series) => series.name === 'refunds')
  // Nobody knows how many users were refunded: gross revenue would tell it beside net revenue.
  const usersBehind = (users = 0, refunded = 0) => (name === 'refunds' || (name === 'gross' && refunded) ? 0 : users)
  return {
    headlines: [headlineOf(metric, total ?? value, usersBehind(payers?.key_value, refunds?.total ?? 0))],
    chart: {
      labels: xValues.data,
      lines: [{ name: metric.label, group: null, data, total: null }],
      unit: metric.unit,
      isOpen: endsToday(view),
      users: data.map((_, day) => usersBehind(payers?.data[day] ?? 0, refunds?.data[day] ?? 0)),
    },
  }
}
