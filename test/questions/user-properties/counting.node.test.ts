import fc from 'fast-check'
import { expect, it } from 'vitest'
import { AGGREGATION_PARAMS } from '../../../src/questions/user-properties/contract.ts'
import {
  askForValues,
  countValues,
  PROPERTIES,
  userPropertiesReport,
} from '../../../src/questions/user-properties/user-properties.ts'
import { holds } from '../../support/cases.ts'
import { inOrder } from '../../support/columns.ts'
import { DAY_MS, madeHistory, type SentEvent } from '../../support/event-history.ts'
import { compareTexts, groupOf } from '../../support/filter-oracle.ts'
import { askParts, partsOf } from '../../support/parts.ts'

interface Question {
  readonly param: (typeof AGGREGATION_PARAMS)[number]
  readonly limit: number
  readonly from: number
  readonly to: number
}

const cases = madeHistory.chain(({ events }) => {
  const day = fc.constantFrom(...events.map(({ datetime }) => Math.floor(datetime / DAY_MS)))
  const question = fc
    .tuple(fc.constantFrom(...AGGREGATION_PARAMS), fc.integer({ min: 1, max: 4 }), day, fc.integer({ min: 1, max: 9 }))
    .map(([param, limit, to, days]): Question => ({ param, limit, from: to - days + 1, to }))
  return fc.record({ events: fc.constant(events), questions: fc.array(question, { minLength: 8, maxLength: 8 }) })
})

it.each([
  ['one object', 1, undefined],
  ['two objects', 2, undefined],
  ['four objects with little room for answers', 4, 40],
])('counts each user once from %s, by the latest event, as looking at every event does', async (_, objects, room) => {
  await holds(
    fc.asyncProperty(cases, async ({ events, questions }) => {
      const parts = partsOf(events, objects)
      for (const { param, limit, from, to } of questions) {
        const before = { from: from - (to - from + 1), to: from - 1 }
        const query = { property: PROPERTIES[param], limit, from, to, before, objects }
        const { data } = await askForValues(query, async (part) => {
          const answers = askParts(parts, (columns) => countValues(columns, part, room))
          return { asOf: '', data: userPropertiesReport.result(answers, part) }
        })
        expect(data).toEqual(expectedOf(events, { param, limit, from, to }))
      }
    }),
    { atLeast: 20, atMost: 500 },
  )
})

function expectedOf(events: readonly SentEvent[], { param, limit, from, to }: Question) {
  const latest = latestOf(events, from, to)
  const groups = Map.groupBy(latest, (event) => groupOf(event, [param])[0] as string)
  const values = [...groups]
    .map(([value, { length: users }]) => ({ value, users }))
    .sort((a, b) => b.users - a.users || compareTexts(a.value, b.value))
  return {
    values: values.slice(0, limit),
    allValues: values.length,
    allUsers: latest.length,
    usersBefore: latestOf(events, from - (to - from + 1), from - 1).length,
  }
}

/** The latest event of each user in a period. */
function latestOf(events: readonly SentEvent[], from: number, to: number): SentEvent[] {
  const within = inOrder(events).filter(({ datetime }) => datetime >= from * DAY_MS && datetime < (to + 1) * DAY_MS)
  return [...new Map(within.map((event) => [event.telegram_id, event])).values()]
}
