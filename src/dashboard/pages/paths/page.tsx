import { listEventNamesRoute } from '../../../questions/event-names/routes.ts'
import { getEventPathsRoute } from '../../../questions/paths/routes.ts'
import { hrefWith, type View } from '../../address.ts'
import { applicationPage, type PageContent } from '../../application-page.tsx'
import type { ApplicationRequest } from '../../application-request.ts'
import { BarList } from '../../components/bars.tsx'
import { NearestName, Nothing } from '../../components/empty.tsx'
import { attempt } from '../../components/problem.tsx'
import { ApplyButton, Choice, EventField, type QuestionFields, QuestionForm } from '../../components/question-form.tsx'
import { usersHrefOf } from '../../figure-users.ts'
import { type OccurredNames, questionPage } from '../../question-page.tsx'
import { PathsDrawing } from './drawing.tsx'
import { isBackwards, type PathFiguresShown, pathsAction } from './names.ts'
import { beginningsQuery, FIELDS, pathsQuery } from './question.ts'
import { PathTables } from './tables.tsx'

/** The parameter of the page itself: the least share of all paths, in percent, of a name that is drawn. */
const MIN_SHARE = 'min_share'

/** What users do after an event, or before it. */
export const pathsPage = applicationPage((request) =>
  request.view.params.has('event') ? pathsOf(request) : beginnings(request),
)

function pathsOf(request: ApplicationRequest): Promise<PageContent> {
  const { view, home, context } = request
  const query = pathsQuery(view)
  return questionPage(request, {
    title: 'Paths',
    subject: view.params.get('event') ?? undefined,
    asking: attempt(getEventPathsRoute.ask({ query }, context)),
    fields: FIELDS,
    form: PathsForm,
    figures: ({ data }, offered) => (
      <PathFigures
        view={view}
        home={home}
        offered={offered}
        transitions={data}
        usersHref={usersHrefOf(home, '/events/paths', query)}
      />
    ),
  })
}

/** The most frequent events, to choose from. */
function beginnings(request: ApplicationRequest): Promise<PageContent> {
  const { view, context } = request
  const action = pathsAction(view)
  return questionPage(request, {
    title: 'Paths',
    asking: attempt(listEventNamesRoute.ask({ query: beginningsQuery(view) }, context)),
    isNothing: (answer) => answer?.total === 0,
    form: PathsForm,
    figures: ({ data }) => (
      <BarList
        title={isBackwards(view) ? 'Choose an end event' : 'Choose a start event'}
        of="Events"
        rows={data.map(({ name, events }) => ({
          label: name,
          value: events,
          href: hrefWith(view, { event: name }),
          action,
        }))}
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

const SHARES = [['', 'none'], ...['1', '2', '5', '10'].map((share) => [share, `${share}%`] as const)] as const

function PathsForm({ view, problem, names }: Omit<QuestionFields, 'params'>) {
  const shared = { view, problem }
  return (
    <QuestionForm view={view} own={[...FIELDS, MIN_SHARE]} names={names} appliesFrom={0}>
      <div class="row five">
        <EventField {...shared} label={isBackwards(view) ? 'Ending at' : 'Starting at'} />
        <Choice {...shared} label="Direction" name="direction" byDefault="after" options={DIRECTIONS} />
        <Choice {...shared} label="Steps" name="steps" byDefault={DEFAULT_STEPS} options={STEPS} />
        <Choice {...shared} label="Min. share" name={MIN_SHARE} options={SHARES} />
        <ApplyButton />
      </div>
    </QuestionForm>
  )
}

interface FiguresShown extends PathFiguresShown {
  readonly view: View
  readonly home: string
  readonly offered: OccurredNames
}

function PathFigures({ view, home, offered, ...shown }: FiguresShown) {
  if (shown.transitions.length === 0) return <NoPaths view={view} offered={offered} />
  const minShare = Number(view.params.get(MIN_SHARE)) || 0
  return (
    <>
      <section class="card">
        <h2>
          {isBackwards(view) ? 'Paths to ' : 'Paths from '}
          <bdi>{view.params.get('event')}</bdi>
        </h2>
        <PathsDrawing view={view} home={home} start={view.params.get('event') ?? ''} minShare={minShare} {...shown} />
        <p class="hint">
          Within a session (30 min of inactivity). Repeats of the same event count once. Click an event to{' '}
          {pathsAction(view)}, or a ribbon to list its users.
        </p>
      </section>
      <PathTables view={view} {...shown} />
    </>
  )
}

function NoPaths({ view, offered: { names, isAll } }: Pick<FiguresShown, 'view' | 'offered'>) {
  const name = view.params.get('event') ?? ''
  return (
    <Nothing view={view} title="No paths">
      {'No event '}
      <bdi class="name">{name}</bdi>
      {view.filters.length > 0
        ? ' in this period matches these filters.'
        : ' in this period. Check its spelling, or choose a longer period.'}
      {isAll && !names.includes(name) && <NearestName view={view} param="event" name={name} names={names} />}
    </Nothing>
  )
}
