import fc from 'fast-check'
import { countActiveDaysRoute } from '../../../src/questions/user-frequency/routes.ts'
import { askPeriod, toPath } from '../../support/asking.ts'
import { madeHistory } from '../../support/event-history.ts'
import { answerFrequency } from '../../support/frequency-oracle.ts'
import { askedHistories, askFilters, filtersOf, periodOf } from '../../support/made-up-questions.ts'
import { answersAsOracle } from '../../support/parts.ts'
import { madeVisits } from '../../support/visits.ts'

answersAsOracle({
  cases: askedHistories(
    fc.oneof(madeVisits, madeHistory),
    (history) =>
      fc.tuple(periodOf(history, [1, 2, 7, 31, 90]), filtersOf(history)).chain(([period, filters]) => {
        const days = askPeriod(period)
        return askFilters(filters).map((said) => {
          return { question: { ...period, filters }, path: toPath('/users/frequency', [...days, ...said]) }
        })
      }),
    10,
  ),
  answer: (objects, { path }) => objects.askAt(countActiveDaysRoute, path),
  expected: answerFrequency,
})
