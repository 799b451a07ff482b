import type { CardFigures } from '../../figures/card-figures.ts'
import { COUNT } from '../../figures/declared.ts'
import type { View } from '../../request/address.ts'
import type { CardUsers } from '../face.ts'
import { type FunnelAnswer, funnelsOf, HEADLINES, isAnyOrder, type ShownFunnel, usersOf } from './question.ts'

/** A funnel of all users: a card has no room for groups. */
export function drawFunnel(answer: FunnelAnswer, view: View, hrefOf: CardUsers): CardFigures {
  const funnel = funnelsOf(answer)[0] as ShownFunnel
  const rows = funnel.steps.map(({ event, users, step }, place) => {
    const name = (isAnyOrder(view) ? answer.xValues.data[place] : undefined) ?? event
    return { name, value: users, group: null, users: null, href: hrefOf({ step }) }
  })
  const shown = [{ isPoints: true }, { users: hrefOf({ step: 1 }) }, { users: hrefOf({ step: rows.length }) }]
  return {
    headlines: shown.map((more, place) => {
      const { of, ...figure } = HEADLINES[place] as (typeof HEADLINES)[number]
      return { ...figure, value: of(funnel), ...more }
    }),
    list: { of: 'Step', figure: { label: 'Users', unit: COUNT }, rows, total: null, whole: usersOf(funnel, 0) },
  }
}
