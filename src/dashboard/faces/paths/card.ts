import type { getEventPathsRoute } from '../../../questions/paths/routes.ts'
import type { CardFigures } from '../../figures/card-figures.ts'
import { COUNT } from '../../figures/declared.ts'
import type { View } from '../../request/address.ts'
import type { AnswerTo } from '../../request/application-request.ts'
import { isBackwards, labelOf } from './names.ts'
import { startOf } from './question.ts'

/** The first step. */
export function drawPaths({ data }: AnswerTo<typeof getEventPathsRoute>, view: View): CardFigures {
  const first = data.filter(({ step }) => step === 1)
  const whole = first.reduce((sum, { count }) => sum + count, 0)
  const rows = first.map(({ to, count, users }) => ({ name: labelOf(view, to), value: count, group: to, users }))
  const label = `${isBackwards(view) ? 'Before' : 'After'} ${labelOf(view, startOf(view))}`
  return {
    headlines: [{ label, unit: COUNT, rise: 'neutral', value: whole }],
    list: { of: 'Event', figure: { label: 'Times', unit: COUNT }, rows, total: rows.length, whole },
  }
}
