import type { getAcquisitionRoute } from '../../../questions/acquisition/routes.ts'
import type { CardFigures } from '../../figures/card-figures.ts'
import type { View } from '../../request/address.ts'
import type { AnswerTo } from '../../request/application-request.ts'
import { labelOfProperty, labelOfValue } from '../../words/labels.ts'
import type { CardUsers } from '../face.ts'
import { byOf, figuresIn } from './question.ts'

/** The largest groups. What users have done since grows with time, so only their number can be compared with earlier ones. */
export function drawAcquisition(
  { all, data, currency, groups_total: total }: AnswerTo<typeof getAcquisitionRoute>,
  view: View,
  usersOf: CardUsers,
): CardFigures {
  const { users, activated, net } = figuresIn(currency)
  const by = byOf(view)
  return {
    headlines: [
      { ...users, value: all.users, users: usersOf({ figure: 'users' }) },
      ...(all.activated === null
        ? []
        : [{ ...activated, value: all.activated, change: null, users: usersOf({ figure: 'activated' }) }]),
      { ...net, value: all.net, change: null, behind: Math.round(((all.payers ?? 0) * all.users) / 100) },
    ],
    list: {
      of: labelOfProperty(by),
      figure: users,
      rows: data.map(({ name, users: value }) => ({
        name: labelOfValue(by, name),
        value,
        group: name,
        users: value,
        href: usersOf({ group: name, figure: 'users' }),
      })),
      total,
      whole: all.users,
    },
  }
}
