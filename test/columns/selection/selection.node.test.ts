import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Columns } from '../../../src/columns/columns.ts'
import {
  closedDictionary,
  type Dictionary,
  isGroupInShare,
  openDictionary,
} from '../../../src/columns/selection/dictionary.ts'
import type { EventProperty } from '../../../src/columns/selection/filter.ts'
import {
  type Grouping,
  groupingByCode,
  groupingByText,
  needsDictionary,
} from '../../../src/columns/selection/grouping.ts'
import { createSelection } from '../../../src/columns/selection/selection.ts'
import { halvesOf, isInShare, WHOLE } from '../../../src/columns/selection/share.ts'
import { holds } from '../../support/cases.ts'
import { columnsOf, inOrder } from '../../support/columns.ts'
import { DAY_MS, type SentEvent } from '../../support/event-history.ts'
import { groupOf, noteHistory, passes } from '../../support/filter-oracle.ts'
import { askedSegmentations } from '../../support/made-up-questions.ts'
import { toFiltersAndGroups } from '../../support/parts.ts'
import type { SegmentationQuestion } from '../../support/segmentation-oracle.ts'

const shares = fc.constantFrom(WHOLE, ...halvesOf(WHOLE), { index: 2, of: 3 })

const cases = fc.record({
  made: askedSegmentations({ questions: 20 }),
  users: shares,
  groups: shares,
  eventsPerSegment: fc.integer({ min: 1, max: 5 }),
})

it('picks what passes, with times, users and groups', async () => {
  await holds(
    fc.property(cases, ({ made: { history, asked }, users, groups, eventsPerSegment }) => {
      noteHistory(history.events)
      // Sets the rules of sources as well.
      toFiltersAndGroups({ filters: [], groupBy: [] })
      const columns = columnsOf(history.events, { eventsPerSegment })
      const ordinals = [...new Set(inOrder(history.events).map(({ telegram_id }) => telegram_id))]
      for (const { question } of asked) {
        const expected = expectedOf(history.events, question)
          .map(
            (event) => [event.datetime, ordinals.indexOf(event.telegram_id), groupOf(event, question.groupBy)] as const,
          )
          .filter(([, user]) => isInShare(user, users))
        const chosen = expected.map(([, , values]) => values).slice(0, 2)
        const isChosen = (values: readonly string[]) => chosen.some((other) => other.join('\n') === values.join('\n'))
        const picked = (grouping: Grouping | null) => pickedOf(columns, question, { grouping, users })
        const byText = (dictionary: Dictionary) => picked(groupingByText(columns, propertiesOf(question), dictionary))
        if (question.groupBy.length === 0) {
          expect(picked(null)).toEqual(expected)
          continue
        }
        expect(byText(openDictionary(WHOLE))).toEqual(expected)
        expect(byText(openDictionary(groups))).toEqual(
          expected.filter(([, , values]) => isGroupInShare(values, groups)),
        )
        expect(byText(closedDictionary(chosen))).toEqual(expected.filter(([, , values]) => isChosen(values)))
        if (needsDictionary(propertiesOf(question))) continue
        expect(picked(groupingByCode(columns, propertiesOf(question)))).toEqual(expected)
      }
    }),
    { atLeast: 30, atMost: 1000 },
  )
})

/** Name by name where any event is asked for. */
function expectedOf(events: readonly SentEvent[], { event, filters, from, to }: SegmentationQuestion): SentEvent[] {
  const names = [...new Set(inOrder(events).map(({ event_type }) => event_type))]
  return inOrder(events)
    .filter(({ event_type }) => event === '_active' || event === event_type)
    .filter(({ datetime }) => datetime >= from * DAY_MS && datetime < (to + 1) * DAY_MS)
    .filter((candidate) => passes(candidate, filters))
    .sort((a, b) => names.indexOf(a.event_type) - names.indexOf(b.event_type))
}

function pickedOf(
  columns: Columns,
  { event, filters, from, to }: SegmentationQuestion,
  { grouping, users }: { grouping: Grouping | null; users: { index: number; of: number } },
) {
  const meant = toFiltersAndGroups({ filters, groupBy: [] })
  const selection = createSelection(columns, { filters: meant.filters, grouping, users })
  const span = { from: from * DAY_MS, to: (to + 1) * DAY_MS }
  const found: unknown[] = []
  for (const picked of selection.events(event === '_active' ? null : event, span)) {
    for (let place = picked.from; place < picked.to; place++) {
      const values = grouping ? grouping.valuesOf(picked.groups?.[place] as number) : []
      found.push([picked.times[place], picked.users[place], values])
    }
  }
  return found
}

function propertiesOf({ groupBy }: SegmentationQuestion): EventProperty[] {
  return toFiltersAndGroups({ filters: [], groupBy }).groupBy
}
