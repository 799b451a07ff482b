import fc from 'fast-check'
import { listPropertiesRoute } from '../../../src/questions/properties/routes.ts'
import { toDate, toPath } from '../../support/asking.ts'
import { DAY_MS, type MadeHistory, madeHistory } from '../../support/event-history.ts'
import { type Asked, askedHistories } from '../../support/made-up-questions.ts'
import { answersAsOracle } from '../../support/parts.ts'
import { answerProperties } from '../../support/properties-oracle.ts'
import type { Period } from '../../support/series-oracle.ts'

interface PropertiesQuestion extends Period {
  readonly limit: number
  readonly event: string
}

function propertiesOf({ events }: MadeHistory): fc.Arbitrary<Asked<PropertiesQuestion>> {
  return fc
    .record({
      to: fc.constantFrom(...events.map(({ datetime }) => Math.floor(datetime / DAY_MS))),
      days: fc.integer({ min: 1, max: 9 }),
      limit: fc.integer({ min: 1, max: 6 }),
      event: fc.constantFrom('_active', 'never', ...events.map(({ event_type: name }) => name)),
    })
    .map(({ to, days, limit, event }) => {
      const from = to - days + 1
      const asked = {
        limit: String(limit),
        start: toDate(from),
        end: toDate(to),
        ...(event !== '_active' && { event }),
      }
      const params = Object.entries(asked)
      return { question: { from, to, limit, event }, path: toPath('/properties', params) }
    })
}

answersAsOracle({
  cases: askedHistories(madeHistory, propertiesOf, 6),
  answer: (objects, { path }) => objects.askAt(listPropertiesRoute, path),
  expected: (events, { limit, event, ...period }) => ({
    status_code: 200,
    message: 'Success',
    ...answerProperties(events, period, limit, event),
  }),
})
