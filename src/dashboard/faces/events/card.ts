import { ANY_EVENT } from '../../../questions/engine/event-name.ts'
import type { listEventNamesRoute } from '../../../questions/event-names/routes.ts'
import type { segmentEventsRoute } from '../../../questions/event-segments/routes.ts'
import type { CardFigures, CardLine } from '../../figures/card-figures.ts'
import { totalText, usersText } from '../../figures/totals-text.ts'
import { groupsOf } from '../../forms/question-form.tsx'
import type { View } from '../../request/address.ts'
import type { AnswerTo } from '../../request/application-request.ts'
import { toCount } from '../../words/format.ts'
import { labelOfGroup } from '../../words/labels.ts'
import { measuredParam, modeOf } from './question.ts'

/** Events are named as the application names them. */
export function drawNames({ data, total }: AnswerTo<typeof listEventNamesRoute>): CardFigures {
  const rows = data.map(({ name, events, users }) => ({
    name,
    value: events,
    text: toCount(events),
    group: null,
    users,
  }))
  return {
    headlines: [{ label: 'Different events', value: toCount(total) }],
    chart: null,
    list: { heads: ['Event', 'Events'], rows },
  }
}

export function drawEvent({ xValues, yValues }: AnswerTo<typeof segmentEventsRoute>, view: View): CardFigures {
  const [mode, groups, param] = [modeOf(view), groupsOf(view), measuredParam(view)]
  const event = view.params.get('event') ?? ''
  const label = param === null ? mode.label : `${mode.label} of ${param}`
  const lines = yValues.map(({ name, data, ...figure }) => {
    const text = totalText(mode, figure)
    const total = mode.mode === 'uniques' ? usersText(text, data, view, 'day') : text
    return {
      name: groups.length > 0 ? labelOfGroup(groups, name) : event,
      group: groups.length > 0 ? name : null,
      data,
      total,
    }
  })
  return {
    headlines: groups.length > 0 ? [] : [{ label, value: lines[0]?.total ?? '–' }],
    chart: { labels: xValues.data, lines: groups.length > 0 ? lines : namedOnce(lines, event), toText: mode.toText },
    list: null,
  }
}

function namedOnce(lines: readonly CardLine[], event: string): CardLine[] {
  return lines.map((line) => ({ ...line, name: event === ANY_EVENT ? 'Any event' : event, total: null }))
}
