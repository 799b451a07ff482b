import { listEventNamesRoute } from '../../../questions/event-names/routes.ts'
import { getEventPathsRoute } from '../../../questions/paths/routes.ts'
import { hrefWith } from '../../address.ts'
import { applicationPage, type PageContent } from '../../application-page.tsx'
import type { ApplicationRequest } from '../../application-request.ts'
import { BarList } from '../../components/bars.tsx'
import { FirstSteps } from '../../components/empty.tsx'
import { attempt, type PageProblem } from '../../components/problem.tsx'
import { Choice, EventField, QuestionForm, questionPage } from '../../components/question-form.tsx'
import { hasEvents, offeredNames } from '../../event-names.ts'
import { commonQuery, ownQuery, type View } from '../../view.ts'
import { PathFigures } from './figures.tsx'

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
  return questionPage({
    title: 'Paths',
    form: <PathsForm view={view} problem={problem} names={names} />,
    problem,
    fields: FIELDS,
    figures: answer && <PathFigures view={view} transitions={answer.data} />,
  })
}

/** Before anything is asked: the most frequent events. */
async function beginnings(request: ApplicationRequest): Promise<PageContent> {
  const { view, context, application } = request
  const query = { ...commonQuery(view), limit: OFFERED_BEGINNINGS }
  const [{ data: answer, problem }, { names }] = await Promise.all([
    attempt(listEventNamesRoute.ask({ query }, context)),
    offeredNames(request),
  ])
  if (answer?.total === 0 && !(await hasEvents(request))) {
    return { title: 'Paths', content: <FirstSteps application={application} /> }
  }
  const rows = answer?.data.map(({ name, events }) => ({
    label: name,
    value: events,
    href: hrefWith(view, { event: name }),
    action: 'show the paths from it',
  }))
  return questionPage({
    title: 'Paths',
    form: <PathsForm view={view} problem={null} names={names} />,
    problem,
    fields: [],
    figures: rows && <BarList title="Choose a start event" of="Events" rows={rows} nothing={nothingIn(view)} />,
  })
}

function nothingIn({ filters }: View): string {
  return filters.length > 0
    ? 'No events in this period match these filters.'
    : 'No events in this period. Choose a longer period.'
}

interface FormShown {
  readonly view: View
  readonly problem: PageProblem | null
  readonly names: readonly string[]
}

const DIRECTIONS = [
  ['', 'After'],
  ['before', 'Before'],
] as const

const STEPS = ['1', '2', '3', '4', '5']
const DEFAULT_STEPS = '3'

function PathsForm({ view, problem, names }: FormShown) {
  const asked = (name: string) => view.params.get(name) ?? ''
  const direction = asked('direction')
  const steps = STEPS.map((count) => [count === DEFAULT_STEPS ? '' : count, count] as const)
  return (
    <QuestionForm view={view} own={FIELDS} names={names}>
      <div class="row">
        <EventField view={view} problem={problem} />
        <Choice
          label="Direction"
          name="direction"
          value={direction === 'after' ? '' : direction}
          options={DIRECTIONS}
          problem={problem}
        />
        <Choice
          label="Steps"
          name="steps"
          value={asked('steps') === DEFAULT_STEPS ? '' : asked('steps')}
          options={steps}
          problem={problem}
        />
        <button type="submit">Apply</button>
      </div>
    </QuestionForm>
  )
}
