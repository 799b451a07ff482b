import type { getRevenueRoute } from '../../../questions/revenue/routes.ts'
import { type CardFigures, saidChange } from '../../figures/card-figures.ts'
import { endsToday, type View } from '../../request/address.ts'
import type { AnswerTo } from '../../request/application-request.ts'
import type { CardUsers } from '../face.ts'
import { linesOf, metricOf, metricsIn } from './question.ts'

export function drawRevenue(answer: AnswerTo<typeof getRevenueRoute>, view: View, usersOf: CardUsers): CardFigures {
  const { currency, xValues, yValues } = answer
  const metric = metricOf(view, metricsIn(currency))
  const lines = linesOf({ ...answer, groups: [] }, metric, (at) => usersOf(at, { currency }))
  const payers = yValues.find((series) => series.name === 'payers')
  const refunds = yValues.find((series) => series.name === 'refunds')
  // Nobody knows how many users were refunded: gross revenue would tell it beside net revenue.
  const usersBehind = (users = 0, refunded = 0) =>
    metric.name === 'refunds' || (metric.name === 'gross' && refunded) ? 0 : users
  const behind = usersBehind(payers?.key_value, refunds?.total ?? 0)
  return {
    headlines: lines.map(({ total }) => ({ ...total, change: saidChange(total.change), behind })),
    chart: {
      labels: xValues.data,
      lines: lines.map((line) => ({ ...line, total: null })),
      unit: metric.unit,
      isOpen: endsToday(view),
      users: xValues.data.map((_, day) => usersBehind(payers?.data[day] ?? 0, refunds?.data[day] ?? 0)),
    },
  }
}
