import type { getAcquisitionRoute } from '../../../questions/acquisition/routes.ts'
import { type CardFigures, headlineOf } from '../../figures/card-figures.ts'
import type { AnswerTo } from '../../request/application-request.ts'
import { labelOfProperty, labelOfValue } from '../../words/labels.ts'
import { figuresIn } from './question.ts'

/** The largest groups. */
export function drawAcquisition(
  { all, data, currency, groups_total: total }: AnswerTo<typeof getAcquisitionRoute>,
  by: string,
): CardFigures {
  const { users, activated, net } = figuresIn(currency)
  return {
    headlines: [
      headlineOf(users, all.users),
      ...(all.activated === null ? [] : [headlineOf(activated, all.activated)]),
      headlineOf(net, all.net, Math.round(((all.payers ?? 0) * all.users) / 100)),
    ],
    list: {
      of: labelOfProperty(by),
      figure: users,
      rows: data.map(({ name, users: value }) => ({
        name: labelOfValue(by, name),
        value,
        group: name,
        users: value,
      })),
      total,
      whole: all.users,
    },
  }
}
