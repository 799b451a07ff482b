import fc from 'fast-check'
import { expect, it } from 'vitest'
import { enterpriseSummaryReport, summarize } from '../../../src/questions/enterprise-summary/enterprise-summary.ts'
import { holds } from '../../support/cases.ts'
import { askedVisits, lastDayOf } from '../../support/made-up-sessions.ts'
import { askParts, partsOf } from '../../support/parts.ts'
import { answerSummary } from '../../support/sessions-oracle.ts'
import { tell } from '../../support/telling.ts'

const cases = askedVisits(lastDayOf, { questions: 6, withTies: false })

it.each([
  ['one object', 1, undefined],
  ['two objects that look at three events at a time', 2, 3],
  ['four objects', 4, undefined],
])('the summary of %s is that of looking at every event', async (_, objects, slice) => {
  await holds(
    fc.property(cases, ({ history: { events }, asked }) => {
      const parts = partsOf(events, objects)
      for (const { question: today } of asked) {
        const query = { from: today - 29, to: today }
        const answers = askParts(parts, (columns) => summarize(columns, query, slice))
        const { premium, nonPremium, byLength } = enterpriseSummaryReport.result(answers, query)
        const expected = Object.values(answerSummary(events, '', today).data)
        expect([premium, nonPremium, ...byLength], tell(events, today, '')).toEqual(expected)
      }
    }),
    { atLeast: 20, atMost: 500, endOnFailure: true },
  )
})
