import type { getAcquisitionRoute } from '../../../questions/acquisition/routes.ts'
import type { CardFigures, CardRow } from '../../figures/card-figures.ts'
import type { AnswerTo } from '../../request/application-request.ts'
import { toAmount, toCount, toPercent, toShare } from '../../words/format.ts'
import { labelOfProperty, labelOfValue } from '../../words/labels.ts'

/** The largest groups. */
export function drawAcquisition(
  { all, data, currency }: AnswerTo<typeof getAcquisitionRoute>,
  by: string,
): CardFigures {
  const rows = data.map(
    ({ name, users }): CardRow => ({
      name: labelOfValue(by, name),
      value: users,
      text: `${toCount(users)} · ${toShare(users, all.users)}`,
      group: name,
      users,
    }),
  )
  return {
    headlines: [
      { label: 'New users', value: toCount(all.users) },
      ...(all.activated === null ? [] : [{ label: 'Activated', value: toPercent(all.activated) }]),
      {
        label: `Net revenue, ${currency}`,
        value: toAmount(all.net),
        users: Math.round(((all.payers ?? 0) * all.users) / 100),
      },
    ],
    chart: null,
    list: { heads: [labelOfProperty(by), 'New users'], rows },
  }
}
