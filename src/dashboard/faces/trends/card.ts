import { INTERVALS } from '../../../base/time/intervals.ts'
import type { analyzeTrendsRoute } from '../../../questions/trends/routes.ts'
import { trendLines } from '../../../questions/trends/saved.ts'
import type { CardFigures } from '../../figures/card-figures.ts'
import { othersOf, textOf, VALUE } from '../../figures/declared.ts'
import { isLastOpen } from '../../figures/plot-labels.ts'
import { usersText, wholeOf } from '../../figures/totals-text.ts'
import { groupsOf } from '../../forms/question-form.tsx'
import type { View } from '../../request/address.ts'
import type { AnswerTo } from '../../request/application-request.ts'

export function drawTrends(answer: AnswerTo<typeof analyzeTrendsRoute>, view: View): CardFigures {
  const { xValues, yValues } = answer
  const isGrouped = groupsOf(view).length > 0
  const modes = trendLines(view).map(({ mode }) => mode || 'uniques')
  const interval = INTERVALS.find((one) => one === (view.params.get('interval') ?? 'day'))
  const lines = yValues.map(({ name, data, ...figure }, place) => {
    const total = textOf({ unit: VALUE }, wholeOf(figure))
    const isUsers = modes[isGrouped ? 0 : place] === 'uniques'
    return {
      name,
      group: isGrouped ? name : null,
      data,
      total: isUsers ? usersText(total, data, view, interval) : total,
    }
  })
  const others = othersOf(answer, lines.length)?.count ?? 0
  const chart = { labels: xValues.data, lines, others, unit: VALUE, isOpen: isLastOpen(view, interval ?? 'hour') }
  return { headlines: [], chart }
}
