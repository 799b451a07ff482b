import { boundsOf, countIntervals, INTERVALS, type Interval } from '../../../base/time/intervals.ts'
import type { Period } from '../../../base/time/period.ts'
import { analyzeRetentionRoute } from '../../../questions/retention/routes.ts'
import { applicationPage } from '../../application-page.tsx'
import { FirstSteps } from '../../components/empty.tsx'
import { faultsOf } from '../../components/field.tsx'
import { attempt, type PageProblem } from '../../components/problem.tsx'
import {
  ANY_EVENT,
  Choice,
  EventInput,
  OneGroupPicker,
  QuestionForm,
  questionPage,
} from '../../components/question-form.tsx'
import { hasEvents, offeredNames } from '../../event-names.ts'
import { commonQuery, ownQuery, type View } from '../../view.ts'
import { RetentionFigures } from './figures.tsx'
import { INTERVAL_NAMES } from './triangle.tsx'

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
  return questionPage({
    title: 'Retention',
    scripts: ['plots.js'],
    from: view.period ? boundsOf(view.period, interval, view.today)[0] : undefined,
    form: <RetentionForm view={view} fitting={fitting} problem={problem} names={names} params={params} />,
    problem,
    fields: FIELDS,
    figures: data && view.period && (
      <RetentionFigures
        view={view}
        data={data}
        interval={interval}
        isOpen={isStillOpen(view.period, interval, view.today)}
      />
    ),
  })
})

interface FormShown {
  readonly view: View
  readonly fitting: Interval
  readonly problem: PageProblem | null
  readonly names: readonly string[]
  readonly params: readonly string[]
}

const MODES = [
  ['', 'On exactly (N-day)'],
  ['unbounded', 'On or after (unbounded)'],
] as const

function RetentionForm({ view, fitting, problem, names, params }: FormShown) {
  const asked = (name: string) => view.params.get(name) ?? ''
  const intervals = INTERVALS.map((name) => [name, INTERVAL_NAMES[name]] as const)
  const mode = asked('mode')
  const event = (name: string) => ({
    name,
    value: asked(name) === ANY_EVENT ? '' : asked(name),
    placeholder: 'Any event',
    faults: faultsOf(problem, name),
  })
  return (
    <QuestionForm view={view} own={FIELDS} names={names}>
      <div class="row">
        <EventInput label="Start event" {...event('start_event')} />
        <EventInput label="Return event" {...event('return_event')} />
        <Choice
          name="interval"
          label="Interval"
          value={asked('interval')}
          options={[['', `Auto (${fitting})`], ...intervals]}
          problem={problem}
        />
        <Choice
          name="mode"
          label="Retention type"
          isLong
          value={mode === 'n' ? '' : mode}
          options={MODES}
          problem={problem}
        />
        <OneGroupPicker view={view} params={params} problem={problem} />
        <button type="submit">Apply</button>
      </div>
    </QuestionForm>
  )
}

/** A triangle with more columns than these is not taken in at a glance. */
const READABLE_COLUMNS = 14

/** The shortest interval of which a period has few enough. */
function fittingInterval(period: Period | null): Interval {
  const isReadable = (interval: Interval) => period !== null && countIntervals(period, interval) <= READABLE_COLUMNS
  return INTERVALS.find(isReadable) ?? (period ? 'month' : 'week')
}

/** Whether the last interval of a period holds today, so that its figures can still grow. */
function isStillOpen(period: Period, interval: Interval, today: number): boolean {
  return (boundsOf(period, interval, today).at(-1) ?? 0) > today
}
