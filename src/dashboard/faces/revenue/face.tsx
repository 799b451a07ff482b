import { INTERVALS } from '../../../base/time/intervals.ts'
import { getRevenueRoute } from '../../../questions/revenue/routes.ts'
import { analyzeRevenueLtvRoute } from '../../../questions/revenue-ltv/routes.ts'
import { hasEarlier } from '../../figures/comparison.ts'
import { fittingInterval } from '../../figures/fitting-interval.ts'
import { InputField } from '../../forms/field.tsx'
import { Choice, OneGroupPicker, type QuestionFields, QuestionForm } from '../../forms/question-form.tsx'
import { commonQuery, ownQuery } from '../../request/address.ts'
import type { ApplicationRequest } from '../../request/application-request.ts'
import { attempt } from '../../request/problem.tsx'
import { cohortWords } from '../cell-words.ts'
import { cardReport, type Face, given } from '../face.ts'
import { questionPage } from '../question-page.tsx'
import { drawRevenue } from './card.ts'
import { revenueTable } from './csv.ts'
import { RevenueFigures } from './figures.tsx'
import { askForRevenue, REVENUE_PARAMS, revenueQuery } from './question.ts'

/** What users pay: by day, by group, and by cohort. */
async function revenuePage(request: ApplicationRequest) {
  const { view, context, home } = request
  const interval = INTERVALS.find((name) => name === view.params.get('interval')) ?? fittingInterval(view.period)
  const query = { ...commonQuery(view), ...ownQuery(view, ['currency', 'group_by']), interval }
  const [isComparable, ltv] = await Promise.all([
    hasEarlier(request),
    attempt(analyzeRevenueLtvRoute.ask({ query }, context)),
  ])
  return questionPage(request, {
    title: 'Revenue',
    command: { operation: getRevenueRoute, query: revenueQuery(view) },
    scripts: ['plots.js'],
    asking: attempt(askForRevenue(view, context)),
    fields: REVENUE_PARAMS,
    isNothing: (answer) => answer?.currencies.length === 0,
    form: RevenueForm,
    figures: (answer) => (
      <RevenueFigures
        view={view}
        home={home}
        answer={answer}
        isComparable={isComparable}
        ltv={ltv.data?.data[0] ?? null}
        interval={interval}
      />
    ),
  })
}

function RevenueForm({ view, params, cohorts, problem }: QuestionFields) {
  const currency = view.params.get('currency') ?? ''
  return (
    <QuestionForm view={view} own={REVENUE_PARAMS}>
      <InputField label="Currency" name="currency" value={currency} placeholder="Most used" problem={problem} />
      <Choice
        view={view}
        label="Cohorts by"
        name="interval"
        options={[['', 'Auto'], ...INTERVALS.map((name) => [name, name] as const)]}
        problem={problem}
      />
      <OneGroupPicker view={view} params={params} cohorts={cohorts} problem={problem} />
    </QuestionForm>
  )
}

export const revenueFace: Face = {
  page: 'revenue',
  navigation: { label: 'Revenue', icon: 'coin' },
  make: revenuePage,
  csv: revenueTable,
  answers: {
    getRevenue: ({ query }) => given(query, ['currency', 'group_by']),
    analyzeRevenueLtv: ({ query }) => [
      ['interval', query.get('interval') ?? 'day'],
      ...given(query, ['currency', 'group_by']),
    ],
  },
  words: {
    [getRevenueRoute.contract.path]: ({ cell }) => [cell.series === 'new_payers' ? 'First payment' : 'Payers'],
    [analyzeRevenueLtvRoute.contract.path]: cohortWords('Paid'),
  },
  card: {
    ask: (view) =>
      cardReport(getRevenueRoute, revenueQuery(view), (answer, usersOf) => drawRevenue(answer, view, usersOf)),
  },
}
