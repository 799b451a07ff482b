import fc from 'fast-check'
import type { EventProperty } from '../../../src/columns/selection/filter.ts'
import { askForList } from '../../../src/questions/engine/lists.ts'
import { propertyValuesReport } from '../../../src/questions/property-values/property-values.ts'
import { DAY_MS, type MadeHistory, madeHistory } from '../../support/event-history.ts'
import { CONTEXT_PROPERTIES, type Filter, readProperty, textOf } from '../../support/filter-oracle.ts'
import { type Asked, askedHistories, filtersOf } from '../../support/made-up-questions.ts'
import { answersAsOracle, toFiltersAndGroups } from '../../support/parts.ts'
import { answerValues, type ValuesQuestion } from '../../support/properties-oracle.ts'

function valuesOf(history: MadeHistory): fc.Arbitrary<Asked<ValuesQuestion>> {
  const { events, paramNames } = history
  const params = paramNames.map((name) => `params.${name}`)
  return fc
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
    .map(({ property, filters, of, days, limit, start, length }) => {
      const text = textOf(readProperty(of, property)) ?? ''
      const to = Math.floor(of.datetime / DAY_MS)
      const contains = text.slice(start % (text.length + 1)).slice(0, length)
      const isText = contains.isWellFormed()
      const asked = { property, filters, contains: isText ? contains : '', missing: length % 2 === 0, limit }
      const question = { ...asked, from: to - days + 1, to }
      return { question, path: '' }
    })
}

/** Ten together: with what the question asks by itself there are twelve. The same again passes the same. */
function asManyAsMayBe(filters: fc.Arbitrary<readonly Filter[]>): fc.Arbitrary<readonly Filter[]> {
  return filters
    .filter(({ length }) => length > 0)
    .map((some) => Array.from({ length: 10 }, (_, place) => some[place % some.length] as Filter))
}

answersAsOracle({
  cases: askedHistories(madeHistory, valuesOf, 8),
  answer: (objects, { question }) => {
    const { filters, groupBy } = toFiltersAndGroups({ ...question, groupBy: [question.property] })
    const [property] = groupBy as [EventProperty]
    return askForList(propertyValuesReport, { ...question, property, filters }, objects)
  },
  expected: answerValues,
})
