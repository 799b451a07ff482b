import { analyzeRetentionRoute } from '../reports/retention/routes.ts'
import { boundsOf, INTERVALS, type Interval } from '../time/intervals.ts'
import { applicationPage } from './application-page.tsx'
import { faultsOf } from './components/field.tsx'
import { FirstSteps } from './components/first-steps.tsx'
import { attempt, type Problem } from './components/problem.tsx'
import {
  ANY_EVENT,
  Choice,
  EventInput,
  OneGroupPicker,
  QuestionForm,
  QuestionProblem,
} from './components/question-form.tsx'
import { hasEvents, offeredNames } from './occurred.ts'
import { RetentionFigures } from './retention-figures.tsx'
import { fittingInterval, isStillOpen } from './retention-intervals.ts'
import type { View } from './view.ts'
import { commonQuery, ownQuery } from './view-query.ts'

const FIELDS = ['start_event', 'return_event', 'interval', 'mode', 'group_by']

/** Who comes back after their first time, and when. */
export const retentionPage = applicationPage(async (request) => {
  const { view, application, context } = request
  const fitting = fittingInterval(view.period)
  const query = { interval: fitting, ...commonQuery(view), ...ownQuery(view, FIELDS) }
  const [{ data: answer, problem }, { names }, params] = await Promise.all([
    attempt(analyzeRetentionRoute.ask({ query }, context)),
    offeredNames(request),
    request.params,
  ])
  const data = answer?.data[0]
  if (data?.totalUsers === 0 && !(await hasEvents(request))) {
    return { title: 'Retention', content: <FirstSteps application={application} /> }
  }
  const interval = INTERVALS.find((name) => name === query.interval) ?? fitting
  return {
    title: 'Retention',
    scripts: ['plots.js'],
    status: problem?.status,
    from: view.period ? boundsOf(view.period, interval, view.today)[0] : undefined,
    content: (
      <>
        <RetentionForm view={view} fitting={fitting} problem={problem} names={names} params={params} />
        {problem && <QuestionProblem problem={problem} fields={FIELDS} />}
        {data && view.period && (
          <RetentionFigures
            view={view}
            data={data}
            interval={interval}
            isOpen={isStillOpen(view.period, interval, view.today)}
          />
        )}
      </>
    ),
  }
})

interface FormShown {
  readonly view: View
  readonly fitting: Interval
  readonly problem: Problem | null
  readonly names: readonly string[]
  readonly params: readonly string[]
}

const MODES = [
  ['', 'just then'],
  ['unbounded', 'then or later'],
] as const

function RetentionForm({ view, fitting, problem, names, params }: FormShown) {
  const asked = (name: string) => view.params.get(name) ?? ''
  const intervals = INTERVALS.map((name) => [name, `${name}s`] as const)
  const mode = asked('mode')
  const event = (name: string) => ({
    name,
    value: asked(name) === ANY_EVENT ? '' : asked(name),
    placeholder: 'any event',
    faults: faultsOf(problem, name),
  })
  return (
    <QuestionForm view={view} own={FIELDS} names={names}>
      <div class="row">
        <EventInput label="First did" {...event('start_event')} />
        <EventInput label="Came back and did" {...event('return_event')} />
        <Choice
          name="interval"
          label="Counted in"
          value={asked('interval')}
          options={[['', `${fitting}s (best fit)`], ...intervals]}
          problem={problem}
        />
        <Choice
          name="mode"
          label="Back means back"
          value={mode === 'n' ? '' : mode}
          options={MODES}
          problem={problem}
        />
        <OneGroupPicker view={view} params={params} problem={problem} />
        <button type="submit">Show</button>
      </div>
    </QuestionForm>
  )
}
