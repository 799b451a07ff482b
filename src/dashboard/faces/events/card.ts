import type { listEventNamesRoute } from '../../../questions/event-names/routes.ts'
import type { segmentEventsRoute } from '../../../questions/event-segments/routes.ts'
import { type CardFigures, saidChange } from '../../figures/card-figures.ts'
import { COUNT, othersOf } from '../../figures/declared.ts'
import { usersUnit } from '../../figures/totals-text.ts'
import { endsToday, type View } from '../../request/address.ts'
import type { AnswerTo } from '../../request/application-request.ts'
import type { CardUsers } from '../face.ts'
import { linesOf, modeOf, titleOfMeasure } from './question.ts'

/** Events are named as the application names them. */
export function drawNames({ data, total }: AnswerTo<typeof listEventNamesRoute>): CardFigures {
  const rows = data.map(({ name, events, users }) => ({ name, value: events, group: null, users }))
  return {
    headlines: [{ label: 'Different events', unit: COUNT, rise: 'neutral', value: total }],
    list: { of: 'Event', figure: { label: 'Events', unit: COUNT }, rows, total, whole: null },
  }
}

export function drawEvent(answer: AnswerTo<typeof segmentEventsRoute>, view: View, usersOf: CardUsers): CardFigures {
  const { mode, unit } = modeOf(view)
  const lines = linesOf(view, answer.yValues, usersOf).map(({ total, ...line }) => ({
    ...line,
    total: { ...total, ...(mode === 'uniques' && { unit: usersUnit(unit, line.data, view, 'day') }) },
  }))
  const isGrouped = lines.some(({ group }) => group !== null)
  const label = titleOfMeasure(view)
  return {
    headlines: isGrouped ? [] : lines.map(({ total }) => ({ ...total, label, change: saidChange(total.change) })),
    chart: {
      labels: answer.xValues.data,
      lines: isGrouped ? lines : lines.map((line) => ({ ...line, total: null })),
      others: othersOf(answer, lines.length)?.count ?? 0,
      unit,
      isOpen: endsToday(view),
    },
  }
}
