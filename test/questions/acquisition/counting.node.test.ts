import fc from 'fast-check'
import { getAcquisitionRoute } from '../../../src/questions/acquisition/routes.ts'
import { type AcquisitionQuestion, answerAcquisition } from '../../support/acquisition-oracle.ts'
import { type Parameter, toDate, toPath } from '../../support/asking.ts'
import { type MadeHistory, madeHistory } from '../../support/event-history.ts'
import { USER_PROPERTIES } from '../../support/filter-oracle.ts'
import { type Asked, askedHistories } from '../../support/made-up-questions.ts'
import { answersAsOracle } from '../../support/parts.ts'
import { madeVisits } from '../../support/visits.ts'
import { dayIn, localMidnight } from '../../support/zones.ts'

const histories: fc.Arbitrary<MadeHistory> = fc.oneof(madeVisits, madeHistory)

function questionOf({ events, names }: MadeHistory): fc.Arbitrary<Asked<AcquisitionQuestion>> {
  const days = events.map(({ datetime }) => dayIn(datetime))
  const [first, last] = [Math.min(...days), Math.max(...days)]
  return fc
    .record({
      day: fc.constantFrom(...days),
      length: fc.constantFrom(1, 2, 5, 20, 60),
      before: fc.nat(3),
      today: fc.integer({ min: first, max: last + 40 }),
      by: fc.oneof(fc.constant('source'), fc.constantFrom(...USER_PROPERTIES)),
      activation: fc.option(fc.constantFrom(...names, '_active')),
      limit: fc.constantFrom(1, 2, 100),
      offset: fc.constantFrom(0, 0, 0, 1),
    })
    .map(({ day, length, before, ...asked }) => {
      const question = { ...asked, from: day - before, to: day - before + length - 1 }
      const { by, activation, limit, offset, from, to } = question
      const params: Parameter[] = [
        ['by', by],
        ...(activation === null ? [] : [['activation_event', activation] as Parameter]),
        ['limit', String(limit)],
        ['offset', String(offset)],
        ['start', toDate(from)],
        ['end', toDate(to)],
      ]
      return { question, path: toPath('/acquisition', params) }
    })
}

answersAsOracle({
  cases: askedHistories(histories, questionOf, 8),
  answer: (objects, { question: { today }, path }) =>
    objects.askAt(getAcquisitionRoute, path, localMidnight(today, objects.timeZone)),
  expected: answerAcquisition,
})
