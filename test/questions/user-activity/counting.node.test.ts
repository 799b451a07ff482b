import fc from 'fast-check'
import { expect, it } from 'vitest'
import { precedingPeriod } from '../../../src/base/time/period.ts'
import { toNumberSeries } from '../../../src/questions/series.ts'
import { toFigures, userActivityReport } from '../../../src/questions/user-activity/user-activity.ts'
import { holds } from '../../support/cases.ts'
import { type MadeHistory, madeHistory } from '../../support/event-history.ts'
import { askedActivities } from '../../support/made-up-activity.ts'
import { askParts, meantBy, partsOf } from '../../support/parts.ts'
import { tell } from '../../support/telling.ts'
import { type ActivityQuestion, answerActivity } from '../../support/user-activity-oracle.ts'
import { madeVisits } from '../../support/visits.ts'

const histories: fc.Arbitrary<MadeHistory> = fc.oneof(
  { weight: 3, arbitrary: madeVisits },
  { weight: 1, arbitrary: madeHistory },
)

it.each([1, 2, 4])('answers from %i objects as looking at every event of every day does', async (objects) => {
  await holds(
    fc.asyncProperty(askedActivities(histories, { questions: 10 }), async ({ history: { events }, asked }) => {
      const parts = partsOf(events, objects)
      for (const { question } of asked) {
        expect(answerOf(parts, question), tell(events, question, '')).toEqual(answerActivity(events, question).yValues)
      }
    }),
    { atLeast: 20, atMost: 500, endOnFailure: true },
  )
})

function answerOf(parts: ReturnType<typeof partsOf>, { filters, from, to }: ActivityQuestion) {
  const query = { ...meantBy({ filters, groupBy: [] }), from, to, before: precedingPeriod({ from, to }) }
  const answers = askParts(parts, (columns) => userActivityReport.part(columns, query))
  return toFigures(userActivityReport.result(answers, query)).map(toNumberSeries)
}
