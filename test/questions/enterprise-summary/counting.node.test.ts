import { enterpriseSummaryReport } from '../../../src/questions/enterprise-summary/enterprise-summary.ts'
import { askedVisits, lastDayOf } from '../../support/made-up-sessions.ts'
import { answersAsOracle } from '../../support/parts.ts'
import { answerSummary } from '../../support/sessions-oracle.ts'

answersAsOracle({
  cases: askedVisits(lastDayOf, { questions: 6, withTies: false }),
  answer: async ({ ask }, { question: today }) => {
    const summary = await ask(enterpriseSummaryReport, { from: today - 29, to: today })
    return [summary.premium, summary.nonPremium, ...summary.byLength]
  },
  expected: (events, today, timeZone) => Object.values(answerSummary(events, '', today, timeZone).data),
})
