import type { CardFigures } from '../../figures/card-figures.ts'
import { COUNT } from '../../figures/declared.ts'
import type { View } from '../../request/address.ts'
import type { CardUsers } from '../face.ts'
import { type FunnelAnswer, funnelsOf, headlinesOf, isAnyOrder, type ShownFunnel, usersOf } from './question.ts'

/** A funnel of all users: a card has no room for groups. */
export function drawFunnel(answer: FunnelAnswer, view: View, usersHref: CardUsers): CardFigures {
  const funnel = funnelsOf(answer)[0] as ShownFunnel
  const rows = funnel.steps.map(({ event, users, step }, place) => {
    const name = (isAnyOrder(view) ? answer.xValues.data[place] : undefined) ?? event
    return { name, value: users, group: null, users: null, href: usersHref({ step }) }
  })
  return {
    headlines: headlinesOf(funnel, usersHref).slice(0, 3),
    list: { of: 'Step', figure: { label: 'Users', unit: COUNT }, rows, total: null, whole: usersOf(funnel, 0) },
  }
}
