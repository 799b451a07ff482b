import { parseProperty } from '../../../src/columns/selection/filter.ts'
import { answerLtv } from '../../../src/questions/revenue-ltv/answer.ts'
import * as oracle from '../../support/ltv-oracle.ts'
import { askedLtvs, madePayments, toQueryRules } from '../../support/made-up-payments.ts'
import { answersAsOracle, meantBy } from '../../support/parts.ts'

answersAsOracle({
  cases: askedLtvs(madePayments, { questions: 6 }),
  answer: (objects, { question }) => {
    const { from, to, currency, interval, today, groupBy } = question
    const rules = toQueryRules(question.rules)
    const { filters } = meantBy(question)
    const period = { from, to }
    const property = parseProperty(groupBy[0] ?? '')
    return answerLtv({ rules, filters, currency, period, interval, today, groupBy: property }, objects)
  },
  expected: oracle.answerLtv,
  states: ['a cohort of nobody', 'a refund before its payment'],
})
