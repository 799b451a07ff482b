import fc from 'fast-check'
import { LIVE_MS, liveUsersReport } from '../../../src/questions/live-users/live-users.ts'
import { type MadeHistory, madeHistory } from '../../support/event-history.ts'
import { answerLive } from '../../support/live-oracle.ts'
import { askedHistories, filtersOf } from '../../support/made-up-questions.ts'
import { answersAsOracle, meantBy } from '../../support/parts.ts'

/** Moments around an event, or exactly when it stops being live, or a moment before. */
function momentsOf({ events }: MadeHistory): fc.Arbitrary<number> {
  const offsets = fc.oneof(
    fc.constantFrom(-1, 0, LIVE_MS - 1, LIVE_MS),
    fc.integer({ min: -LIVE_MS, max: 2 * LIVE_MS }),
  )
  return fc.tuple(fc.constantFrom(...events), offsets).map(([{ datetime }, offset]) => datetime + offset)
}

answersAsOracle({
  cases: askedHistories(
    madeHistory,
    (history) =>
      fc.record({ filters: filtersOf(history), now: momentsOf(history) }).map((question) => ({ question, path: '' })),
    8,
  ),
  answer: ({ ask }, { question: { filters, now } }) => {
    const span = { from: now - LIVE_MS + 1, to: now + 1 }
    return ask(liveUsersReport, { filters: meantBy({ filters, groupBy: [] }).filters, span })
  },
  expected: answerLive,
})
