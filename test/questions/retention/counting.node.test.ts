import fc from 'fast-check'
import { analyzeRetentionRoute } from '../../../src/questions/retention/routes.ts'
import { type MadeHistory, madeHistory } from '../../support/event-history.ts'
import { askedRetentions } from '../../support/made-up-retention.ts'
import { answersAsOracle } from '../../support/parts.ts'
import { answerRetention } from '../../support/retention-oracle.ts'
import { madeVisits } from '../../support/visits.ts'
import { localMidnight } from '../../support/zones.ts'

const histories: fc.Arbitrary<MadeHistory> = fc.oneof(
  { weight: 3, arbitrary: madeVisits },
  { weight: 1, arbitrary: madeHistory },
)

answersAsOracle({
  cases: askedRetentions(histories, { questions: 10 }),
  answer: (objects, { question: { today }, path }) =>
    objects.askAt(analyzeRetentionRoute, path, localMidnight(today, objects.timeZone)),
  expected: answerRetention,
  states: [
    'a cohort of nobody',
    'a question that is asked before its period is over',
    'a return at the instant of the first event',
    'a day of 23 hours',
    'a day of 25 hours',
  ],
})
