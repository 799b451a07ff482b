import type { analyzeFunnelRoute } from '../../../questions/funnels/routes.ts'
import { type CardFigures, headlineOf } from '../../figures/card-figures.ts'
import { COUNT } from '../../figures/declared.ts'
import type { View } from '../../request/address.ts'
import type { AnswerTo } from '../../request/application-request.ts'
import { HEADLINES, isAnyOrder } from './question.ts'

/** A funnel of all users: a card has no room for groups. */
export function drawFunnel({ xValues, steps }: AnswerTo<typeof analyzeFunnelRoute>, view: View): CardFigures {
  const [entered, converted] = [steps[0]?.users ?? 0, steps.at(-1)?.users ?? 0]
  const rows = steps.map(({ event, users }, place) => {
    const name = (isAnyOrder(view) ? xValues.data[place] : undefined) ?? event
    return { name, value: users, group: null, users: null }
  })
  const [conversion, began, reached] = HEADLINES
  return {
    headlines: [
      headlineOf(conversion, entered === 0 ? 0 : (converted / entered) * 100),
      headlineOf(began, entered),
      headlineOf(reached, converted),
    ],
    list: { of: 'Step', figure: { label: 'Users', unit: COUNT }, rows, total: null, whole: entered },
  }
}
