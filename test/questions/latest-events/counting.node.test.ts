import fc from 'fast-check'
import { toEventFields } from '../../../src/questions/events/contract.ts'
import { latestEventsReport } from '../../../src/questions/latest-events/latest-events.ts'
import { type MadeHistory, madeHistory } from '../../support/event-history.ts'
import { answerLatest, type LatestQuestion } from '../../support/events-oracle.ts'
import { type Asked, askedHistories, filtersOf, nameOf } from '../../support/made-up-questions.ts'
import { answersAsOracle, toFiltersAndGroups } from '../../support/parts.ts'

function latestOf(history: MadeHistory): fc.Arbitrary<Asked<LatestQuestion>> {
  const question = fc.record({
    event: fc.oneof({ weight: 3, arbitrary: nameOf(history) }, { weight: 2, arbitrary: fc.constant(null) }),
    filters: filtersOf(history),
    limit: fc.integer({ min: 1, max: 6 }),
  })
  return question.map((question) => ({ question, path: '' }))
}

answersAsOracle({
  cases: askedHistories(madeHistory, latestOf, 8),
  answer: async ({ ask }, { question: { event, filters, limit } }) => {
    const query = { event, filters: toFiltersAndGroups({ filters, groupBy: [] }).filters, limit }
    const found = await ask(latestEventsReport, query)
    return found.map((event) => ({ ...toEventFields(event), telegram_id: event.telegramId }))
  },
  expected: answerLatest,
})
