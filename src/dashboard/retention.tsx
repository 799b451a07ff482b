import { analyzeRetentionRoute } from '../reports/retention/routes.ts'
import { dayOf } from '../time/days.ts'
import { INTERVALS, type Interval } from '../time/intervals.ts'
import { commonQuery, ownQuery, type View } from './address.ts'
import { applicationPage } from './application-page.tsx'
import { OtherParams } from './components/filter-bar.tsx'
import { FirstSteps } from './components/first-steps.tsx'
import { attempt, type Problem } from './components/problem.tsx'
import { Choice, EventInput, OfferedNames, OneGroupPicker, QuestionProblem } from './components/question-form.tsx'
import { hasEvents, offeredNames } from './occurred.ts'
import { RetentionFigures } from './retention-figures.tsx'
import { fittingInterval, isStillOpen } from './retention-intervals.ts'

const FIELDS = ['start_event', 'return_event', 'interval', 'mode', 'group_by']

/** Who comes back after their first time, and when. */
export const retentionPage = applicationPage(async (request) => {
  const { view, application, context, c } = request
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
    status: problem && problem.faults.length > 0 ? 422 : 200,
    content: (
      <>
        <QuestionForm view={view} fitting={fitting} problem={problem} names={names} params={params} />
        {problem && <QuestionProblem problem={problem} fields={FIELDS} />}
        {data && view.period && (
          <RetentionFigures
            view={view}
            data={data}
            interval={interval}
            isOpen={isStillOpen(view.period, interval, dayOf(c.get('now')))}
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

function QuestionForm({ view, fitting, problem, names, params }: FormShown) {
  const asked = (name: string) => view.params.get(name) ?? ''
  const intervals = INTERVALS.map((name) => [name, `${name}s`] as const)
  const mode = asked('mode')
  return (
    <form method="get" action={view.path} class="card question">
      <OtherParams view={view} without={FIELDS} />
      <div class="row">
        <EventInput name="start_event" label="First did" value={asked('start_event')} problem={problem} />
        <EventInput name="return_event" label="Came back and did" value={asked('return_event')} problem={problem} />
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
      <OfferedNames names={names} />
    </form>
  )
}
