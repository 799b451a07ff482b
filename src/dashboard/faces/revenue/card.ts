import type { getRevenueRoute } from '../../../questions/revenue/routes.ts'
import { type CardFigures, saidChange } from '../../figures/card-figures.ts'
import { endsToday, type View } from '../../request/address.ts'
import type { AnswerTo } from '../../request/application-request.ts'
import type { CardUsers } from '../face.ts'
import { metricOf, metricsIn, seriesOf, usersOfMetric } from './question.ts'

export function drawRevenue(
  { currency, xValues, yValues }: AnswerTo<typeof getRevenueRoute>,
  view: View,
  usersOf: CardUsers,
): CardFigures {
  const metric = metricOf(view, metricsIn(currency))
  const { name, data, total, key_value: value, change } = seriesOf(yValues, metric)
  const payers = yValues.find((series) => series.name === 'payers')
  const refunds = yValues.find((series) => series.name === 'refunds')
  // Nobody knows how many users were refunded: gross revenue would tell it beside net revenue.
  const usersBehind = (users = 0, refunded = 0) => (name === 'refunds' || (name === 'gross' && refunded) ? 0 : users)
  const behind = usersBehind(payers?.key_value, refunds?.total ?? 0)
  const usersAt = usersOfMetric((at) => usersOf(at, { currency }), metric)
  return {
    headlines: [{ ...metric, value: total ?? value, change: saidChange(change), users: usersAt({}), behind }],
    chart: {
      labels: xValues.data,
      lines: [{ name: metric.label, group: null, data, total: null, usersAt: (day) => usersAt({ day }) }],
      unit: metric.unit,
      isOpen: endsToday(view),
      users: data.map((_, day) => usersBehind(payers?.data[day] ?? 0, refunds?.data[day] ?? 0)),
    },
  }
}
