import fc from 'fast-check'
import { expect, it } from 'vitest'
import { BOUNDS } from '../../../src/questions/event-segments/candidates.ts'
import {
  askForPropertyValues,
  countValues,
  propertyValuesReport,
} from '../../../src/questions/property-values/property-values.ts'
import { MAX_ANSWER_CHARACTERS } from '../../../src/questions/shares.ts'
import { holds } from '../../support/cases.ts'
import { DAY_MS, madeHistory } from '../../support/event-history.ts'
import { CONTEXT_PROPERTIES, type Filter, readProperty, textOf } from '../../support/filter-oracle.ts'
import { filtersOf } from '../../support/made-up-questions.ts'
import { askParts, meantBy, partsOf } from '../../support/parts.ts'
import { answerValues, type ValuesQuestion } from '../../support/properties-oracle.ts'

/** So little room that nearly every question takes several passes, and several answers. */
const NARROW = { bounds: { dictionary: { groups: 2, characters: 20 }, pairs: 4 }, maxCharacters: 60 }
const WIDE = { bounds: BOUNDS, maxCharacters: MAX_ANSWER_CHARACTERS }

const cases = madeHistory.chain((history) => {
  const { events, paramNames } = history
  const params = paramNames.map((name) => `params.${name}`)
  const question = fc
    .record({
      property: fc.oneof(
        fc.constantFrom(...CONTEXT_PROPERTIES),
        fc.constantFrom(...params),
        fc.constant('params.never'),
      ),
      filters: fc.oneof(
        { weight: 9, arbitrary: filtersOf(history) },
        { weight: 1, arbitrary: asManyAsMayBe(filtersOf(history)) },
      ),
      of: fc.constantFrom(...events),
      days: fc.integer({ min: 1, max: 9 }),
      limit: fc.integer({ min: 1, max: 4 }),
      start: fc.nat(),
      length: fc.constantFrom(0, 0, 1, 2),
    })
    .map(({ property, filters, of, days, limit, start, length }): ValuesQuestion => {
      const text = textOf(readProperty(of, property)) ?? ''
      const to = Math.floor(of.datetime / DAY_MS)
      const contains = text.slice(start % (text.length + 1)).slice(0, length)
      return { property, filters, contains: contains.isWellFormed() ? contains : '', limit, from: to - days + 1, to }
    })
  return fc.record({ events: fc.constant(events), questions: fc.array(question, { minLength: 8, maxLength: 8 }) })
})

/** Ten together: with what the question asks by itself there are twelve. The same again passes the same. */
function asManyAsMayBe(filters: fc.Arbitrary<readonly Filter[]>): fc.Arbitrary<readonly Filter[]> {
  return filters
    .filter(({ length }) => length > 0)
    .map((some) => Array.from({ length: 10 }, (_, place) => some[place % some.length] as Filter))
}

it.each([
  ['one object', 1, WIDE],
  ['one object with little room', 1, NARROW],
  ['two objects', 2, WIDE],
  ['four objects with little room', 4, NARROW],
])('counts the values of a property from %s as looking at every event does', async (_, objects, room) => {
  await holds(
    fc.asyncProperty(cases, async ({ events, questions }) => {
      const parts = partsOf(events, objects)
      for (const question of questions) {
        const { filters, groupBy } = meantBy({ filters: question.filters, groupBy: [question.property] })
        const [property] = groupBy
        if (!property) throw new Error('no property')
        const { data } = await askForPropertyValues({ ...question, property, filters, objects }, async (query) => {
          const answers = askParts(parts, (columns) => countValues(columns, query, room))
          return { asOf: '', data: propertyValuesReport.result(answers, query) }
        })
        expect(data).toEqual(answerValues(events, question))
      }
    }),
    { atLeast: 20, atMost: 500 },
  )
})
