import type { analyzeFunnelRoute } from '../../../questions/funnels/routes.ts'
import type { CardFigures, CardRow } from '../../figures/card-figures.ts'
import type { View } from '../../request/address.ts'
import type { AnswerTo } from '../../request/application-request.ts'
import { toCount, toShare } from '../../words/format.ts'
import { isAnyOrder } from './question.ts'

/** A funnel of all users: a card has no room for groups. */
export function drawFunnel({ xValues, steps }: AnswerTo<typeof analyzeFunnelRoute>, view: View): CardFigures {
  const [entered, converted] = [steps[0]?.users ?? 0, steps.at(-1)?.users ?? 0]
  const rows = steps.map(({ event, users }, place): CardRow => {
    const name = (isAnyOrder(view) ? xValues.data[place] : undefined) ?? event
    return { name, value: users, text: `${toCount(users)} · ${toShare(users, entered)}`, group: null, users: null }
  })
  return {
    headlines: [
      { label: 'Conversion', value: toShare(converted, entered) },
      { label: 'Entered', value: toCount(entered) },
      { label: 'Converted', value: toCount(converted) },
    ],
    chart: null,
    list: { heads: ['Step', 'Users'], rows },
  }
}
