import { boundsOf, INTERVALS, type Interval } from '../../../base/time/intervals.ts'
import type { QueryParams } from '../../../http/params.ts'
import { ANY_EVENT } from '../../../questions/engine/event-name.ts'
import { analyzeRetentionRoute } from '../../../questions/retention/routes.ts'
import { askBefore } from '../../figures/comparison.ts'
import { usersHrefOf } from '../../figures/figure-users.ts'
import { Choice, EventInput, OneGroupPicker, type QuestionFields, QuestionForm } from '../../forms/question-form.tsx'
import { hasOpenInterval } from '../../request/address.ts'
import type { ApplicationRequest } from '../../request/application-request.ts'
import { attempt } from '../../request/problem.tsx'
import { cohortWords } from '../cell-words.ts'
import { cardReport, type Face, given } from '../face.ts'
import { questionPage } from '../question-page.tsx'
import { drawRetention } from './card.ts'
import { RetentionFigures } from './figures.tsx'
import { FIELDS, retentionQuestion } from './question.ts'
import { INTERVAL_NAMES } from './triangle.tsx'

/** The page of retention: who comes back after their first time, and when. */
function retentionPage(request: ApplicationRequest) {
  const { view, home } = request
  const { query, interval, fitting } = retentionQuestion(view)
  const bounds = view.period ? boundsOf(view.period, interval, view.today) : []
  return questionPage(request, {
    title: 'Retention',
    command: { operation: analyzeRetentionRoute, query },
    subject: FIELDS.slice(0, 2)
      .flatMap((name) => view.params.get(name) ?? [])
      .join(' → '),
    scripts: ['plots.js'],
    from: bounds[0],
    asking: askForRetention(request, query),
    fields: FIELDS,
    isNothing: (answer) => answer?.data?.totalUsers === 0,
    form: (fields) => <RetentionForm {...fields} fitting={fitting} />,
    figures: ({ data, before }, offered) =>
      data && (
        <RetentionFigures
          view={view}
          data={data}
          before={before}
          interval={interval}
          isOpen={hasOpenInterval(view, interval)}
          usersHref={usersHrefOf(home, '/retention', query)}
          offered={offered}
        />
      ),
  })
}

/** With the previous period, where there is one to compare with. */
async function askForRetention(request: ApplicationRequest, query: QueryParams) {
  const ask = (days: QueryParams) => analyzeRetentionRoute.ask({ query: { ...query, ...days } }, request.context)
  const [now, { before }] = await Promise.all([attempt(ask({})), askBefore(request, ask)])
  if (now.problem) return now
  return { problem: null, data: { data: now.data.data[0], before: before?.data[0] ?? null } }
}

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
    <QuestionForm view={view} own={FIELDS} names={names} rowKind="five">
      <EventInput label="Start event" {...event('start_event')} />
      <EventInput label="Return event" {...event('return_event')} />
      <Choice {...shared} label="Interval" name="interval" options={[['', `Auto (${fitting})`], ...intervals]} />
      <Choice {...shared} label="Retention type" name="mode" byDefault="n" isLong options={MODES} />
      <OneGroupPicker {...shared} params={params} cohorts={cohorts} />
    </QuestionForm>
  )
}

export const retentionFace: Face = {
  page: 'retention',
  navigation: { label: 'Retention', icon: 'grid', isReport: true },
  make: retentionPage,
  answers: {
    analyzeRetention: ({ query }) => [
      ['interval', query.get('interval') ?? 'day'],
      ...given(query, ['start_event', 'return_event', 'mode', 'group_by']),
    ],
  },
  words: { [analyzeRetentionRoute.contract.path]: cohortWords('Came back') },
  card: {
    ask(view) {
      const { query, interval } = retentionQuestion(view)
      return cardReport(analyzeRetentionRoute, query, (answer) => drawRetention(answer, interval, view))
    },
  },
}
