import fc from 'fast-check'
import { expect, it } from 'vitest'
import { askForNames, countNames, eventNamesReport } from '../../../src/questions/event-names/event-names.ts'
import { holds } from '../../support/cases.ts'
import { DAY_MS, madeHistory } from '../../support/event-history.ts'
import { answerNames, type NamesQuestion } from '../../support/event-names-oracle.ts'
import { filtersOf } from '../../support/made-up-questions.ts'
import { askParts, meantBy, partsOf } from '../../support/parts.ts'

const cases = madeHistory.chain((history) => {
  const { events, names } = history
  const day = fc.constantFrom(...events.map(({ datetime }) => Math.floor(datetime / DAY_MS)))
  const part = fc
    .tuple(fc.constantFrom(...names), fc.nat(), fc.integer({ min: 0, max: 2 }))
    .map(([name, from, length]) => name.slice(from % name.length).slice(0, length))
  const question: fc.Arbitrary<NamesQuestion> = fc
    .record({
      contains: fc.oneof({ weight: 3, arbitrary: fc.constant('') }, { weight: 2, arbitrary: part }),
      filters: filtersOf(history),
      limit: fc.integer({ min: 1, max: 4 }),
      offset: fc.constantFrom(0, 0, 1, 2, 5),
      to: day,
      days: fc.integer({ min: 1, max: 9 }),
    })
    .map(({ days, ...rest }) => ({ ...rest, from: rest.to - days + 1 }))
  return fc.record({ events: fc.constant(events), questions: fc.array(question, { minLength: 8, maxLength: 8 }) })
})

it.each([
  ['one object', 1, undefined],
  ['two objects', 2, undefined],
  ['four objects with little room for answers', 4, 60],
])('lists the names of a period from %s as looking at every event does', async (_, objects, room) => {
  await holds(
    fc.asyncProperty(cases, async ({ events, questions }) => {
      const parts = partsOf(events, objects)
      for (const question of questions) {
        const { filters } = meantBy({ ...question, groupBy: [] })
        const { data } = await askForNames({ ...question, filters, objects }, async (query) => {
          const answers = askParts(parts, (columns) => countNames(columns, query, room))
          return { asOf: '', data: eventNamesReport.result(answers, query) }
        })
        expect(data).toEqual(answerNames(events, question))
      }
    }),
    { atLeast: 20, atMost: 500 },
  )
})
