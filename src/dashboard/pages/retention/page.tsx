import { boundsOf, countIntervals, INTERVALS, type Interval } from '../../../base/time/intervals.ts'
import type { Period } from '../../../base/time/period.ts'
import { analyzeRetentionRoute } from '../../../questions/retention/routes.ts'
import { commonQuery, ownQuery } from '../../address.ts'
import { applicationPage } from '../../application-page.tsx'
import { faultsOf } from '../../components/field.tsx'
import { attempt } from '../../components/problem.tsx'
import {
  ANY_EVENT,
  Choice,
  EventInput,
  OneGroupPicker,
  type QuestionFields,
  QuestionForm,
} from '../../components/question-form.tsx'
import { offeredNames, questionPage } from '../../question-page.tsx'
import { RetentionFigures } from './figures.tsx'
import { INTERVAL_NAMES } from './triangle.tsx'

const FIELDS = ['start_event', 'return_event', 'interval', 'mode', 'group_by']

/** Who comes back after their first time, and when. */
export const retentionPage = applicationPage(async (request) => {
  const { view, context } = request
  const fitting = fittingInterval(view.period)
  const query = { interval: fitting, ...commonQuery(view), ...ownQuery(view, FIELDS) }
  const [{ data: answer, problem }, { names }, params] = await Promise.all([
    attempt(analyzeRetentionRoute.ask({ query }, context)),
    offeredNames(request),
    request.params,
  ])
  const data = answer?.data[0]
  const interval = INTERVALS.find((name) => name === query.interval) ?? fitting
  return questionPage(request, {
    title: 'Retention',
    scripts: ['plots.js'],
    from: view.period ? boundsOf(view.period, interval, view.today)[0] : undefined,
    form: <RetentionForm view={view} fitting={fitting} problem={problem} names={names} params={params} />,
    problem,
    fields: FIELDS,
    isNothing: data?.totalUsers === 0,
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

const MODES = [
  ['', 'On exactly (N-day)'],
  ['unbounded', 'On or after (unbounded)'],
] as const

function RetentionForm({ view, fitting, problem, names, params }: QuestionFields & { fitting: Interval }) {
  const intervals = INTERVALS.map((name) => [name, INTERVAL_NAMES[name]] as const)
  const event = (name: string) => {
    const value = view.params.get(name) ?? ''
    return { name, value: value === ANY_EVENT ? '' : value, placeholder: 'Any event', faults: faultsOf(problem, name) }
  }
  const shared = { view, problem }
  return (
    <QuestionForm view={view} own={FIELDS} names={names}>
      <div class="row">
        <EventInput label="Start event" {...event('start_event')} />
        <EventInput label="Return event" {...event('return_event')} />
        <Choice {...shared} label="Interval" name="interval" options={[['', `Auto (${fitting})`], ...intervals]} />
        <Choice {...shared} label="Retention type" name="mode" byDefault="n" isLong options={MODES} />
        <OneGroupPicker {...shared} params={params} />
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
