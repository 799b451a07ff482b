import fc from 'fast-check'
import { getUserActivityRoute } from '../../../src/questions/user-activity/routes.ts'
import { type MadeHistory, madeHistory } from '../../support/event-history.ts'
import { askedActivities } from '../../support/made-up-activity.ts'
import { answersAsOracle } from '../../support/parts.ts'
import { answerActivity } from '../../support/user-activity-oracle.ts'
import { madeVisits } from '../../support/visits.ts'
import { localMidnight } from '../../support/zones.ts'

const histories: fc.Arbitrary<MadeHistory> = fc.oneof(
  { weight: 3, arbitrary: madeVisits },
  { weight: 1, arbitrary: madeHistory },
)

answersAsOracle({
  cases: askedActivities(histories, { questions: 10 }),
  answer: (objects, { question: { today }, path }) =>
    objects.askAt(getUserActivityRoute, path, localMidnight(today, objects.timeZone)),
  expected: answerActivity,
  states: [
    'a period without events',
    'a user who comes back after a day without events',
    'a question that is asked before its period is over',
  ],
})
