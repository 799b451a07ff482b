import fc from 'fast-check'
import { analyzeEventHoursRoute } from '../../../src/questions/event-hours/routes.ts'
import { askPeriod, type Parameter, toPath } from '../../support/asking.ts'
import { type MadeHistory, madeHistory } from '../../support/event-history.ts'
import { answerHours, type HoursQuestion } from '../../support/hours-oracle.ts'
import { type Asked, askedHistories, filtersOf, nameOf, periodOf } from '../../support/made-up-questions.ts'
import { answersAsOracle } from '../../support/parts.ts'
import { madeVisits } from '../../support/visits.ts'
import { localMidnight } from '../../support/zones.ts'

interface Question extends Omit<HoursQuestion, 'now'> {
  /** Half a day after its midnight it is asked. */
  readonly today: number
}

function hoursOf(history: MadeHistory): fc.Arbitrary<Asked<Question>> {
  const event = fc.oneof(nameOf(history), fc.constant('_active'))
  return periodOf(history, [1, 2, 8]).chain((period) =>
    fc
      .record({
        event,
        mode: fc.constantFrom('uniques' as const, 'totals' as const),
        filters: filtersOf(history),
        today: fc.constantFrom(period.from - 1, period.from, period.to, period.to + 400),
      })
      .map((asked) => {
        const said: Parameter[] = [
          ['event', asked.event],
          ['mode', asked.mode],
          ['filters', JSON.stringify(asked.filters)],
          ...askPeriod(period),
        ]
        return { question: { ...period, ...asked }, path: toPath('/events/hours', said) }
      }),
  )
}

const HALF_DAY_MS = 43_200_000

answersAsOracle({
  cases: askedHistories(fc.oneof(madeVisits, madeHistory), hoursOf, 8),
  answer: (objects, { question: { today }, path }) =>
    objects.askAt(analyzeEventHoursRoute, path, localMidnight(today, objects.timeZone) + HALF_DAY_MS),
  expected: (events, question, timeZone) =>
    answerHours(events, { ...question, now: localMidnight(question.today, timeZone) + HALF_DAY_MS }),
  atMost: 200,
})
