import { INTERVALS } from '../../../base/time/intervals.ts'
import type { analyzeTrendsRoute } from '../../../questions/trends/routes.ts'
import type { CardFigures } from '../../figures/card-figures.ts'
import { othersOf, VALUE } from '../../figures/declared.ts'
import { isLastOpen } from '../../figures/plot-labels.ts'
import { usersUnit } from '../../figures/totals-text.ts'
import type { View } from '../../request/address.ts'
import type { AnswerTo } from '../../request/application-request.ts'
import type { CardUsers } from '../face.ts'
import { countsUsers, linesOf } from './question.ts'

export function drawTrends(answer: AnswerTo<typeof analyzeTrendsRoute>, view: View, usersOf: CardUsers): CardFigures {
  const interval = INTERVALS.find((one) => one === (view.params.get('interval') ?? 'day'))
  const lines = linesOf(view, answer.yValues, usersOf).map(({ total, ...line }, place) => ({
    ...line,
    total: { ...total, ...(countsUsers(view, place) && { unit: usersUnit(VALUE, line.data, view, interval) }) },
  }))
  const others = othersOf(answer, lines.length)?.count ?? 0
  const isOpen = isLastOpen(view, interval ?? 'hour')
  return { headlines: [], chart: { labels: answer.xValues.data, lines, others, unit: VALUE, isOpen } }
}
