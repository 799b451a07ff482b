import { parseProperty } from '../../../src/columns/selection/filter.ts'
import { answerRevenue } from '../../../src/questions/revenue/answer.ts'
import { askedRevenues, madePayments, toQueryRules } from '../../support/made-up-payments.ts'
import { answersAsOracle, meantBy } from '../../support/parts.ts'
import * as oracle from '../../support/revenue-oracle.ts'
import { precedingPeriod } from '../../support/series-oracle.ts'

answersAsOracle({
  cases: askedRevenues(madePayments, { questions: 6 }),
  answer: (objects, { question }) => {
    const { from, to, currency, rules, groupBy } = question
    const { filters } = meantBy(question)
    const property = parseProperty(groupBy[0] ?? '')
    const before = precedingPeriod(question)
    return answerRevenue(
      { from, to, before, currency, rules: toQueryRules(rules), filters, groupBy: property },
      objects,
    )
  },
  expected: oracle.answerRevenue,
  states: ['a refund before its payment', 'a payment and its refund at one instant'],
})
