import { INTERVALS } from '../../../base/time/intervals.ts'
import { hasEarlier } from '../../figures/comparison.ts'
import { type AskedFields, BREAKDOWN } from '../../forms/question-form.tsx'
import type { ApplicationRequest } from '../../request/application-request.ts'
import { attempt } from '../../request/problem.tsx'
import { cohortWords } from '../cell-words.ts'
import { type Face, faceOf, given } from '../face.ts'
import { questionPage } from '../question-page.tsx'
import { intervalOf } from '../retention/question.ts'
import { drawRevenue } from './card.ts'
import { revenueTable } from './csv.ts'
import { RevenueFigures } from './figures.tsx'
import { ltv, revenue } from './question.ts'

const FORM: AskedFields = {
  currency: { label: 'Currency', placeholder: 'Most used' },
  interval: {
    label: 'Cohorts by',
    options: { '': 'Auto', ...Object.fromEntries(INTERVALS.map((name) => [name, name])) },
  },
  ...BREAKDOWN,
}

/** What users pay: by day, by group, and by cohort. */
async function revenuePage(request: ApplicationRequest) {
  const { view, context, home } = request
  const interval = intervalOf(view)
  const [isComparable, cohorts] = await Promise.all([
    hasEarlier(request),
    attempt(ltv.operation.ask({ query: { ...ltv.query(view), interval } }, context)),
  ])
  return questionPage(request, {
    title: 'Revenue',
    question: revenue,
    scripts: ['plots.js'],
    asking: attempt(revenue.operation.ask({ query: revenue.query(view) }, context)),
    isNothing: (answer) => answer?.currencies.length === 0,
    form: FORM,
    figures: (answer) => (
      <RevenueFigures
        view={view}
        home={home}
        answer={answer}
        isComparable={isComparable}
        ltv={cohorts.data?.data[0] ?? null}
        interval={interval}
      />
    ),
  })
}

export const revenueFace: Face = faceOf(revenue, {
  page: 'revenue',
  navigation: { label: 'Revenue', icon: 'coin' },
  make: revenuePage,
  csv: revenueTable,
  // By default, the operation counts by day.
  answers: { analyzeRevenueLtv: ({ query }) => given(query, ltv.own, { interval: 'day' }) },
  words: ({ cell }) => [cell.series === 'new_payers' ? 'First payment' : 'Payers'],
  otherWords: { [ltv.path]: cohortWords('Paid') },
  draw: drawRevenue,
})
