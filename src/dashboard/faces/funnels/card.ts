import type { analyzeFunnelRoute } from '../../../questions/funnels/routes.ts'
import type { CardFigures } from '../../figures/card-figures.ts'
import { COUNT } from '../../figures/declared.ts'
import type { View } from '../../request/address.ts'
import type { AnswerTo } from '../../request/application-request.ts'
import type { CardUsers } from '../face.ts'
import { HEADLINES, isAnyOrder } from './question.ts'

/** A funnel of all users: a card has no room for groups. */
export function drawFunnel(
  { xValues, steps }: AnswerTo<typeof analyzeFunnelRoute>,
  view: View,
  usersOf: CardUsers,
): CardFigures {
  const [entered, converted] = [steps[0]?.users ?? 0, steps.at(-1)?.users ?? 0]
  const rows = steps.map(({ event, users, step }, place) => {
    const name = (isAnyOrder(view) ? xValues.data[place] : undefined) ?? event
    return { name, value: users, group: null, users: null, href: usersOf({ step }) }
  })
  const [conversion, began, reached] = HEADLINES
  return {
    headlines: [
      { ...conversion, value: entered === 0 ? 0 : (converted / entered) * 100, isPoints: true },
      { ...began, value: entered, users: usersOf({ step: 1 }) },
      { ...reached, value: converted, users: usersOf({ step: steps.length }) },
    ],
    list: { of: 'Step', figure: { label: 'Users', unit: COUNT }, rows, total: null, whole: entered },
  }
}
