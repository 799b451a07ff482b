import fc from 'fast-check'
import { expect, it } from 'vitest'
import { CONTEXT_FIELDS } from '../../../src/columns/selection/filter.ts'
import { askForProperties, countProperties, propertiesReport } from '../../../src/questions/properties/properties.ts'
import { holds } from '../../support/cases.ts'
import { DAY_MS, madeHistory } from '../../support/event-history.ts'
import { askParts, partsOf } from '../../support/parts.ts'
import { answerProperties } from '../../support/properties-oracle.ts'

/** So little room that nearly every question takes several passes, and several answers. */
const NARROW = { room: { groups: 1, characters: 20 }, maxCharacters: 40 }

const question = fc.record({
  place: fc.nat(),
  days: fc.integer({ min: 1, max: 9 }),
  limit: fc.integer({ min: 1, max: 6 }),
})

it.each([
  ['one object', 1, undefined],
  ['one object with little room', 1, NARROW],
  ['two objects', 2, undefined],
  ['four objects with little room', 4, NARROW],
])('counts in %s the events that have each property, as looking at every event does', async (_, objects, room) => {
  const asked = fc.tuple(madeHistory, fc.array(question, { minLength: 6, maxLength: 6 }))
  await holds(
    fc.asyncProperty(asked, async ([{ events }, questions]) => {
      const parts = partsOf(events, objects)
      for (const { place, days, limit } of questions) {
        const to = Math.floor((events[place % events.length]?.datetime as number) / DAY_MS)
        const period = { from: to - days + 1, to }
        const { data } = await askForProperties({ ...period, limit, objects }, async (query) => {
          const answers = askParts(parts, (columns) => countProperties(columns, query, room))
          return { asOf: '', data: propertiesReport.result(answers, query) }
        })
        const found = [
          ...CONTEXT_FIELDS.map(({ field }, place) => ({ property: field, events: data.contexts[place] })),
          ...data.params.map(({ name, events }) => ({ property: `params.${name}`, events })),
        ]
        const expected = answerProperties(events, period, limit)
        expect(found).toEqual(expected.data)
        expect(data.allParams).toBe(expected.total - CONTEXT_FIELDS.length)
      }
    }),
    { atLeast: 20, atMost: 500 },
  )
})
