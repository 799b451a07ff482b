import { getRevenueRoute } from '../../../questions/revenue/routes.ts'
import { COUNT, VALUE } from '../../figures/declared.ts'
import { usersHrefOf } from '../../figures/figure-users.ts'
import { commonQuery, hrefTo } from '../../request/address.ts'
import { changeSince, type HomeFigure, seriesOf } from '../home-figure.ts'
import type { RevenueAnswer } from './question.ts'

/** Which currency it is in is known with the answer. */
export const NET_REVENUE: HomeFigure<RevenueAnswer> = {
  name: 'revenue',
  label: 'Net revenue',
  hint: 'Payments in the period, less refunds',
  unit: VALUE,
  ask: (query, context) => getRevenueRoute.ask({ query }, context),
  seriesIn: (answer) => seriesOf(answer, 'net'),
  asidesIn: (answer, { view, home, compared }) => {
    const { key_value: payers, change } = seriesOf(answer, 'payers')
    const usersHref = usersHrefOf(home, getRevenueRoute.contract.path, {
      ...commonQuery(view),
      currency: answer.currency,
    })
    return [
      {
        label: 'Payers',
        hint: 'Unique users with a payment in the period',
        unit: COUNT,
        value: payers,
        users: usersHref({ series: 'payers' }),
        change: changeSince(compared, change),
      },
    ]
  },
  drawBelow: (_, { view, home }) => (
    <p class="more">
      <a href={hrefTo(view, `${home}/revenue`)}>Revenue report</a>
    </p>
  ),
}
