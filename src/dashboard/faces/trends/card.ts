import { INTERVALS } from '../../../base/time/intervals.ts'
import type { analyzeTrendsRoute } from '../../../questions/trends/routes.ts'
import type { CardFigures } from '../../figures/card-figures.ts'
import { othersOf, VALUE } from '../../figures/declared.ts'
import { isLastOpen } from '../../figures/plot-labels.ts'
import { usersUnit, wholeOf } from '../../figures/totals-text.ts'
import { groupsOf } from '../../forms/question-form.tsx'
import type { View } from '../../request/address.ts'
import type { AnswerTo } from '../../request/application-request.ts'
import type { CardUsers } from '../face.ts'
import { usersOfSeries } from './question.ts'

export function drawTrends(answer: AnswerTo<typeof analyzeTrendsRoute>, view: View, usersOf: CardUsers): CardFigures {
  const { xValues, yValues } = answer
  const isGrouped = groupsOf(view).length > 0
  const series = usersOfSeries(view, usersOf)
  const interval = INTERVALS.find((one) => one === (view.params.get('interval') ?? 'day'))
  const lines = yValues.map(({ name, data, change, ...figure }, place) => {
    const unit = series.areUsers(place) ? usersUnit(VALUE, data, view, interval) : VALUE
    return {
      name,
      group: isGrouped ? name : null,
      data,
      usersAt: (at: string) => series.usersOf(place, name, { interval: at }),
      total: { label: name, unit, value: wholeOf(figure), change, users: series.usersOf(place, name, {}) },
    }
  })
  const others = othersOf(answer, lines.length)?.count ?? 0
  const chart = { labels: xValues.data, lines, others, unit: VALUE, isOpen: isLastOpen(view, interval ?? 'hour') }
  return { headlines: [], chart }
}
