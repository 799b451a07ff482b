import { boundsOf, INTERVALS, type Interval } from '../../../base/time/intervals.ts'
import { analyzeRetentionRoute } from '../../../questions/retention/routes.ts'
import { applicationPage } from '../../application-page.tsx'
import { attempt } from '../../components/problem.tsx'
import {
  ANY_EVENT,
  Choice,
  EventInput,
  OneGroupPicker,
  type QuestionFields,
  QuestionForm,
} from '../../components/question-form.tsx'
import { usersHrefOf } from '../../figure-users.ts'
import { questionPage } from '../../question-page.tsx'
import { RetentionFigures } from './figures.tsx'
import { FIELDS, retentionQuestion } from './question.ts'
import { INTERVAL_NAMES } from './triangle.tsx'

/** Who comes back after their first time, and when. */
export const retentionPage = applicationPage((request) => {
  const { view, home, context } = request
  const { query, interval, fitting } = retentionQuestion(view)
  const bounds = view.period ? boundsOf(view.period, interval, view.today) : []
  return questionPage(request, {
    title: 'Retention',
    subject: FIELDS.slice(0, 2)
      .flatMap((name) => view.params.get(name) ?? [])
      .join(' → '),
    scripts: ['plots.js'],
    from: bounds[0],
    asking: attempt(analyzeRetentionRoute.ask({ query }, context)),
    fields: FIELDS,
    isNothing: (answer) => answer?.data[0]?.totalUsers === 0,
    form: (fields) => <RetentionForm {...fields} fitting={fitting} />,
    // An interval that ends after today is not over: its figures can still grow.
    figures: ({ data: [data] }) =>
      data && (
        <RetentionFigures
          view={view}
          data={data}
          interval={interval}
          isOpen={(bounds.at(-1) ?? 0) > view.today}
          usersHref={usersHrefOf(home, '/retention', query)}
        />
      ),
  })
})

const MODES = [
  ['', 'On exactly (N-day)'],
  ['unbounded', 'On or after (unbounded)'],
] as const

function RetentionForm({ view, fitting, problem, names, params, cohorts }: QuestionFields & { fitting: Interval }) {
  const intervals = INTERVALS.map((name) => [name, INTERVAL_NAMES[name]] as const)
  const event = (name: string) => {
    const value = view.params.get(name) ?? ''
    return { name, value: value === ANY_EVENT ? '' : value, placeholder: 'Any event', problem }
  }
  const shared = { view, problem }
  return (
    <QuestionForm view={view} own={FIELDS} names={names}>
      <div class="row">
        <EventInput label="Start event" {...event('start_event')} />
        <EventInput label="Return event" {...event('return_event')} />
        <Choice {...shared} label="Interval" name="interval" options={[['', `Auto (${fitting})`], ...intervals]} />
        <Choice {...shared} label="Retention type" name="mode" byDefault="n" isLong options={MODES} />
        <OneGroupPicker {...shared} params={params} cohorts={cohorts} />
        <button type="submit">Apply</button>
      </div>
    </QuestionForm>
  )
}
