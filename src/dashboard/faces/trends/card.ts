import { INTERVALS } from '../../../base/time/intervals.ts'
import type { analyzeTrendsRoute } from '../../../questions/trends/routes.ts'
import { trendLines } from '../../../questions/trends/saved.ts'
import type { CardFigures } from '../../figures/card-figures.ts'
import { totalText, usersText } from '../../figures/totals-text.ts'
import { groupsOf } from '../../forms/question-form.tsx'
import type { View } from '../../request/address.ts'
import type { AnswerTo } from '../../request/application-request.ts'
import { toAmount } from '../../words/format.ts'

export function drawTrends({ xValues, yValues }: AnswerTo<typeof analyzeTrendsRoute>, view: View): CardFigures {
  const isGrouped = groupsOf(view).length > 0
  const modes = trendLines(view).map(({ mode }) => mode || 'uniques')
  const interval = INTERVALS.find((one) => one === (view.params.get('interval') ?? 'day'))
  const lines = yValues.map(({ name, data, ...figure }, place) => {
    const total = totalText({ toText: toAmount }, figure)
    const isUsers = modes[isGrouped ? 0 : place] === 'uniques'
    return {
      name,
      group: isGrouped ? name : null,
      data,
      total: isUsers ? usersText(total, data, view, interval) : total,
    }
  })
  return { headlines: [], chart: { labels: xValues.data, lines, toText: toAmount }, list: null }
}
