import { listEventNamesRoute } from '../../../questions/event-names/routes.ts'
import type { PathTransition } from '../../../questions/paths/contract.ts'
import { getEventPathsRoute } from '../../../questions/paths/routes.ts'
import { hrefWith, type View } from '../../address.ts'
import { applicationPage, type PageContent } from '../../application-page.tsx'
import type { ApplicationRequest } from '../../application-request.ts'
import { Bar, BarList, BarsHead } from '../../components/bars.tsx'
import { Nothing } from '../../components/empty.tsx'
import { attempt } from '../../components/problem.tsx'
import { Choice, EventField, type QuestionFields, QuestionForm } from '../../components/question-form.tsx'
import { NumberCell, numberColumn, UsersLink } from '../../components/table.tsx'
import { type UsersHref, usersHrefOf } from '../../figure-users.ts'
import { counted, toCount, toShare } from '../../format.ts'
import { questionPage } from '../../question-page.tsx'
import { beginningsQuery, END, FIELDS, OTHER, pathsQuery } from './question.ts'

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
    figures: ({ data }) => (
      <PathFigures view={view} transitions={data} usersHref={usersHrefOf(home, '/events/paths', query)} />
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

const UNNAMED: ReadonlySet<string> = new Set([END, OTHER])

/** Unfolded at first. */
const SHOWN = { origins: 4, targets: 6 }

interface PathFiguresShown {
  readonly view: View
  readonly transitions: readonly PathTransition[]
  readonly usersHref: UsersHref
}

/** The list of the users of a transition. */
type UsersOfTransition = (transition: PathTransition) => string

/** All less frequent names of a step are those that it does not show. */
function usersOfTransition({ transitions, usersHref }: Omit<PathFiguresShown, 'view'>): UsersOfTransition {
  const shown = Map.groupBy(transitions, ({ step }) => step)
  const namesAt = (step: number) =>
    [...new Set((shown.get(step) ?? []).map(({ to }) => to))].filter((to) => !UNNAMED.has(to))
  const cellOf = (name: string, step: number) => (name === OTHER ? { not: namesAt(step) } : name)
  return ({ step, from, to }) => usersHref({ step, from: cellOf(from, step - 1), to: cellOf(to, step) })
}

function PathFigures({ view, transitions, usersHref }: PathFiguresShown) {
  if (transitions.length === 0) return <NoPaths view={view} />
  const usersOf = usersOfTransition({ transitions, usersHref })
  const steps = [...Map.groupBy(transitions, ({ step }) => step)]
  return (
    <>
      <p class="hint">
        Within a session (30 min of inactivity). Repeats of the same event count once. Click an event to{' '}
        {pathsAction(view)}.
      </p>
      <div class="grid">
        {steps.map(([step, ofStep]) => (
          <section class="card path">
            <h2>{`Step ${step}`}</h2>
            <Origins view={view} transitions={ofStep} usersOf={usersOf} />
          </section>
        ))}
      </div>
    </>
  )
}

function isBackwards({ params }: Pick<View, 'params'>): boolean {
  return params.get('direction') === 'before'
}

function pathsAction(view: Pick<View, 'params'>): string {
  return isBackwards(view) ? 'show the paths to it' : 'show the paths from it'
}

function NoPaths({ view }: { view: View }) {
  return (
    <Nothing view={view} title="No paths">
      {'No event '}
      <bdi class="name">{view.params.get('event')}</bdi>
      {view.filters.length > 0
        ? ' in this period matches these filters.'
        : ' in this period. Check its spelling, or choose a longer period.'}
    </Nothing>
  )
}

interface OriginsShown extends Pick<PathFiguresShown, 'view' | 'transitions'> {
  readonly usersOf: UsersOfTransition
}

function Origins({ view, transitions, usersOf }: OriginsShown) {
  const origins = [...Map.groupBy(transitions, ({ from }) => from)]
    .map(([from, targets]) => ({ from, targets, count: targets.reduce((sum, { count }) => sum + count, 0) }))
    .sort((a, b) => b.count - a.count)
  const shown = origins.slice(0, SHOWN.origins).map((origin) => <Origin view={view} usersOf={usersOf} {...origin} />)
  const rest = origins.slice(SHOWN.origins).map((origin) => <Origin view={view} usersOf={usersOf} {...origin} />)
  return (
    <>
      {shown}
      {rest.length > 0 && (
        <details>
          <summary>{`From ${counted(rest.length, 'other event')}`}</summary>
          {rest}
        </details>
      )}
    </>
  )
}

interface OriginShown extends Pick<OriginsShown, 'view' | 'usersOf'> {
  readonly from: string
  readonly targets: readonly PathTransition[]
  readonly count: number
}

function Origin({ view, usersOf, from, targets, count }: OriginShown) {
  const rest = targets.slice(SHOWN.targets)
  return (
    <>
      <h3>
        {isBackwards(view) ? 'Before ' : 'After '}
        <Name view={view} name={from} />
      </h3>
      <Targets view={view} usersOf={usersOf} from={from} targets={targets.slice(0, SHOWN.targets)} count={count} />
      {rest.length > 0 && (
        <details>
          <summary>{`${toCount(rest.length)} more`}</summary>
          <Targets view={view} usersOf={usersOf} from={from} targets={rest} count={count} />
        </details>
      )}
    </>
  )
}

function Targets({ view, usersOf, from, targets, count: whole }: OriginShown) {
  return (
    <table class="bars" aria-label={`${isBackwards(view) ? 'Before' : 'After'} ${labelOf(view, from)}`}>
      <colgroup>
        <col />
        <col class="times" />
        <col class="times" />
        <col class="part" />
      </colgroup>
      <BarsHead title="Event" columns={['Users', 'Times', 'Share'].map(numberColumn)} />
      <tbody>
        {targets.map((transition) => (
          <tr>
            <th scope="row">
              <Bar part={transition.count} whole={whole} />
              <Name view={view} name={transition.to} />
            </th>
            <td class="number">
              <UsersLink users={usersOf(transition)}>{toCount(transition.users)}</UsersLink>
            </td>
            <NumberCell value={transition.count} />
            <td class="number share">{toShare(transition.count, whole)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Name({ view, name }: { view: View; name: string }) {
  const label = labelOf(view, name)
  if (label !== name) return <em>{label}</em>
  return (
    <a href={hrefWith(view, { event: name })} aria-label={`${name}: ${pathsAction(view)}`}>
      <bdi title={name}>{name}</bdi>
    </a>
  )
}

function labelOf(view: View, name: string): string {
  if (name === END) return isBackwards(view) ? 'Session start' : 'Exit'
  return name === OTHER ? 'Other events' : name
}
