import fc from 'fast-check'
import { calendarOf } from '../../../src/base/time/calendar.ts'
import { parseProperty, type UserProperty } from '../../../src/columns/selection/filter.ts'
import { askForAcquisition } from '../../../src/questions/acquisition/acquisition.ts'
import { filtersParam } from '../../../src/questions/filters/contract.ts'
import { type AcquisitionQuestion, answerAcquisition } from '../../support/acquisition-oracle.ts'
import { type MadeHistory, madeHistory } from '../../support/event-history.ts'
import { USER_PROPERTIES } from '../../support/filter-oracle.ts'
import { DEFAULT_RULES, madePayments, madeRules, toQueryRules } from '../../support/made-up-payments.ts'
import { type Asked, askedHistories, filtersOf } from '../../support/made-up-questions.ts'
import { answersAsOracle } from '../../support/parts.ts'
import { madeVisits } from '../../support/visits.ts'
import { dayIn } from '../../support/zones.ts'

const histories: fc.Arbitrary<MadeHistory> = fc.oneof(madeVisits, madeHistory, madePayments)

function questionOf(history: MadeHistory): fc.Arbitrary<Asked<AcquisitionQuestion>> {
  const { events, names } = history
  const days = events.map(({ datetime }) => dayIn(datetime))
  const [first, last] = [Math.min(...days), Math.max(...days)]
  return fc
    .record({
      day: fc.constantFrom(...days),
      length: fc.constantFrom(1, 2, 5, 20, 60),
      before: fc.nat(3),
      today: fc.integer({ min: first, max: last + 40 }),
      by: fc.oneof(fc.constant('source'), fc.constantFrom(...USER_PROPERTIES)),
      filters: filtersOf(history),
      activation: fc.option(fc.constantFrom(...names, '_active')),
      limit: fc.constantFrom(1, 2, 100),
      offset: fc.constantFrom(0, 0, 0, 1),
      rules: fc.oneof(madeRules, fc.constant(DEFAULT_RULES)),
      currency: fc.constantFrom('XTR', 'TON', 'EUR'),
    })
    .map(({ day, length, before, ...asked }) => {
      return { question: { ...asked, from: day - before, to: day - before + length - 1 }, path: '/acquisition' }
    })
}

answersAsOracle({
  cases: askedHistories(histories, questionOf, 8),
  answer: (objects, { question }) => {
    const { by, filters, activation, rules, currency, ...asked } = question
    const wire = toQueryRules(rules)
    const query = {
      ...asked,
      by: parseProperty(by) as UserProperty,
      filters: filtersParam.parse(JSON.stringify(filters)),
      activation: activation === null ? null : { event: activation === '_active' ? null : activation },
      charges: { rules: wire, currency },
    }
    return askForAcquisition(query, { ...objects, calendar: calendarOf(objects.timeZone) })
  },
  expected: answerAcquisition,
})
