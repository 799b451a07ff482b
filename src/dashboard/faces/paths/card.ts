import type { getEventPathsRoute } from '../../../questions/paths/routes.ts'
import type { CardFigures, CardRow } from '../../figures/card-figures.ts'
import type { View } from '../../request/address.ts'
import type { AnswerTo } from '../../request/application-request.ts'
import { toCount, toShare } from '../../words/format.ts'
import { isBackwards, labelOf } from './names.ts'
import { startOf } from './question.ts'

/** The first step. */
export function drawPaths({ data }: AnswerTo<typeof getEventPathsRoute>, view: View): CardFigures {
  const first = data.filter(({ step }) => step === 1)
  const whole = first.reduce((sum, { count }) => sum + count, 0)
  const rows = first.map(
    ({ to, count, users }): CardRow => ({
      name: labelOf(view, to),
      value: count,
      text: `${toCount(count)} · ${toShare(count, whole)}`,
      group: to,
      users,
    }),
  )
  return {
    headlines: [
      { label: `${isBackwards(view) ? 'Before' : 'After'} ${labelOf(view, startOf(view))}`, value: toCount(whole) },
    ],
    chart: null,
    list: { heads: ['Event', 'Times'], rows },
  }
}
