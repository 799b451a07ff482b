import type { listEventNamesRoute } from '../../../questions/event-names/routes.ts'
import type { segmentEventsRoute } from '../../../questions/event-segments/routes.ts'
import { type CardFigures, saidChange } from '../../figures/card-figures.ts'
import { COUNT, othersOf } from '../../figures/declared.ts'
import { usersOfGroup } from '../../figures/figure-users.ts'
import { usersUnit, wholeOf } from '../../figures/totals-text.ts'
import { groupsOf } from '../../forms/question-form.tsx'
import { endsToday, type View } from '../../request/address.ts'
import type { AnswerTo } from '../../request/application-request.ts'
import { labelOfGroup } from '../../words/labels.ts'
import { eventIn } from '../cell-words.ts'
import type { CardUsers } from '../face.ts'
import { modeOf, titleOfMeasure } from './question.ts'

/** Events are named as the application names them. */
export function drawNames({ data, total }: AnswerTo<typeof listEventNamesRoute>): CardFigures {
  const rows = data.map(({ name, events, users }) => ({ name, value: events, group: null, users }))
  return {
    headlines: [{ label: 'Different events', unit: COUNT, rise: 'neutral', value: total }],
    list: { of: 'Event', figure: { label: 'Events', unit: COUNT }, rows, total, whole: null },
  }
}

export function drawEvent(answer: AnswerTo<typeof segmentEventsRoute>, view: View, usersOf: CardUsers): CardFigures {
  const { xValues, yValues } = answer
  const [measure, groups] = [modeOf(view), groupsOf(view)]
  const isGrouped = groups.length > 0
  const isUsers = measure.mode === 'uniques'
  const lines = yValues.map(({ name, data, change, ...figure }) => {
    const usersAt = (day?: string) => (isUsers ? usersOfGroup(usersOf, { day }, groups, name) : undefined)
    const unit = isUsers ? usersUnit(measure.unit, data, view, 'day') : measure.unit
    const total = { label: titleOfMeasure(view), unit, value: wholeOf(figure), change, users: usersAt() }
    return isGrouped
      ? { name: labelOfGroup(groups, name), group: name, data, usersAt, total }
      : { name: eventIn(view.params.get('event')), group: null, data, usersAt, total }
  })
  return {
    headlines: isGrouped ? [] : lines.map(({ total }) => ({ ...total, change: saidChange(total.change) })),
    chart: {
      labels: xValues.data,
      lines: isGrouped ? lines : lines.map((line) => ({ ...line, total: null })),
      others: othersOf(answer, lines.length)?.count ?? 0,
      unit: measure.unit,
      isOpen: endsToday(view),
    },
  }
}
