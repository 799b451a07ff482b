import type { listEventNamesRoute } from '../../../questions/event-names/routes.ts'
import type { segmentEventsRoute } from '../../../questions/event-segments/routes.ts'
import { type CardFigures, headlineOf } from '../../figures/card-figures.ts'
import { COUNT, NO_FIGURE, othersOf, textOf } from '../../figures/declared.ts'
import { usersText, wholeOf } from '../../figures/totals-text.ts'
import { groupsOf } from '../../forms/question-form.tsx'
import { endsToday, type View } from '../../request/address.ts'
import type { AnswerTo } from '../../request/application-request.ts'
import { labelOfGroup } from '../../words/labels.ts'
import { eventIn } from '../cell-words.ts'
import { measuredParam, modeOf } from './question.ts'

/** Events are named as the application names them. */
export function drawNames({ data, total }: AnswerTo<typeof listEventNamesRoute>): CardFigures {
  const rows = data.map(({ name, events, users }) => ({ name, value: events, group: null, users }))
  return {
    headlines: [headlineOf({ label: 'Different events', unit: COUNT }, total)],
    list: { of: 'Event', figure: { label: 'Events', unit: COUNT }, rows, total, whole: null },
  }
}

export function drawEvent(answer: AnswerTo<typeof segmentEventsRoute>, view: View): CardFigures {
  const { xValues, yValues } = answer
  const [mode, groups, param] = [modeOf(view), groupsOf(view), measuredParam(view)]
  const isGrouped = groups.length > 0
  const event = view.params.get('event') ?? ''
  const lines = yValues.map(({ name, data, ...figure }) => {
    const text = textOf(mode, wholeOf(figure))
    const total = mode.mode === 'uniques' ? usersText(text, data, view, 'day') : text
    return isGrouped
      ? { name: labelOfGroup(groups, name), group: name, data, total }
      : { name: eventIn(event), group: null, data, total }
  })
  const label = param === null ? mode.label : `${mode.label} of ${param}`
  return {
    headlines: isGrouped ? [] : [{ label, value: lines[0]?.total ?? NO_FIGURE }],
    chart: {
      labels: xValues.data,
      lines: isGrouped ? lines : lines.map((line) => ({ ...line, total: null })),
      others: othersOf(answer, lines.length)?.count ?? 0,
      unit: mode.unit,
      isOpen: endsToday(view),
    },
  }
}
