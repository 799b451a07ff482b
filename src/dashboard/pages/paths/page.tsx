import { listEventNamesRoute } from '../../../questions/event-names/routes.ts'
import { getEventPathsRoute } from '../../../questions/paths/routes.ts'
import { hrefWith } from '../../address.ts'
import { applicationPage, type PageContent } from '../../application-page.tsx'
import type { ApplicationRequest } from '../../application-request.ts'
import { BarList } from '../../components/bars.tsx'
import { attempt } from '../../components/problem.tsx'
import { Choice, EventField, type QuestionFields, QuestionForm } from '../../components/question-form.tsx'
import { offeredNames } from '../../event-names.ts'
import { questionPage } from '../../question-page.tsx'
import { commonQuery, ownQuery, type View } from '../../view.ts'
import { isBackwards, PathFigures, pathsAction } from './figures.tsx'

const FIELDS = ['event', 'direction', 'steps']

/** Events to begin at. */
const OFFERED_BEGINNINGS = '20'

/** What users do after an event, or before it. */
export const pathsPage = applicationPage((request) =>
  request.view.params.has('event') ? pathsOf(request) : beginnings(request),
)

async function pathsOf(request: ApplicationRequest): Promise<PageContent> {
  const { view, context } = request
  const query = { ...commonQuery(view), ...ownQuery(view, FIELDS) }
  const [{ data: answer, problem }, { names }] = await Promise.all([
    attempt(getEventPathsRoute.ask({ query }, context)),
    offeredNames(request),
  ])
  return questionPage(request, {
    title: 'Paths',
    form: <PathsForm view={view} problem={problem} names={names} />,
    problem,
    fields: FIELDS,
    figures: answer && <PathFigures view={view} transitions={answer.data} />,
  })
}

/** Before anything is asked: the most frequent events. */
async function beginnings(request: ApplicationRequest): Promise<PageContent> {
  const { view, context } = request
  const query = { ...commonQuery(view), limit: OFFERED_BEGINNINGS }
  const [{ data: answer, problem }, { names }] = await Promise.all([
    attempt(listEventNamesRoute.ask({ query }, context)),
    offeredNames(request),
  ])
  const rows = answer?.data.map(({ name, events }) => ({
    label: name,
    value: events,
    href: hrefWith(view, { event: name }),
    action: pathsAction(view),
  }))
  return questionPage(request, {
    title: 'Paths',
    form: <PathsForm view={view} problem={null} names={names} />,
    problem,
    isNothing: answer?.total === 0,
    figures: rows && (
      <BarList
        title={isBackwards(view) ? 'Choose an end event' : 'Choose a start event'}
        of="Events"
        rows={rows}
        nothing={nothingIn(view)}
      />
    ),
  })
}

function nothingIn({ filters }: View): string {
  return filters.length > 0
    ? 'No events in this period match these filters.'
    : 'No events in this period. Choose a longer period.'
}

const DIRECTIONS = [
  ['', 'After'],
  ['before', 'Before'],
] as const

const DEFAULT_STEPS = '3'
const STEPS = ['1', '2', '3', '4', '5'].map((count) => [count === DEFAULT_STEPS ? '' : count, count] as const)

function PathsForm({ view, problem, names }: Omit<QuestionFields, 'params'>) {
  const shared = { view, problem }
  return (
    <QuestionForm view={view} own={FIELDS} names={names}>
      <div class="row">
        <EventField {...shared} />
        <Choice {...shared} label="Direction" name="direction" byDefault="after" options={DIRECTIONS} />
        <Choice {...shared} label="Steps" name="steps" byDefault={DEFAULT_STEPS} options={STEPS} />
        <button type="submit">Apply</button>
      </div>
    </QuestionForm>
  )
}
