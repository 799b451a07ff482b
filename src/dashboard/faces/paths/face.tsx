import { SESSION_GAP_MINUTES } from '../../../columns/selection/sessions.ts'
import type { QueryParams } from '../../../http/params.ts'
import { START_OF_SESSION } from '../../../questions/engine/event-name.ts'
import { listEventNamesRoute } from '../../../questions/event-names/routes.ts'
import { BarList } from '../../figures/bars.tsx'
import { NearestName, Nothing } from '../../figures/empty.tsx'
import { usersHrefOf } from '../../figures/figure-users.ts'
import type { AskedFields } from '../../forms/question-form.tsx'
import { hrefWith, type View } from '../../request/address.ts'
import type { ApplicationRequest, OccurredNames } from '../../request/application-request.ts'
import { attempt } from '../../request/problem.tsx'
import { type Face, faceOf } from '../face.ts'
import { questionPage } from '../question-page.tsx'
import { drawPaths } from './card.ts'
import { PathsDrawing } from './drawing.tsx'
import { isBackwards, labelOf, type PathFiguresShown, pathsAction } from './names.ts'
import { beginningsQuery, paths, startOf } from './question.ts'
import { PathTables } from './tables.tsx'

/** The parameter of the page itself: the least share of all paths, in percent, of a name that is drawn. */
const MIN_SHARE = 'min_share'

/** What users do after an event, or before it; from the start of their sessions at first. */
function pathsPage(request: ApplicationRequest) {
  const { view, home } = request
  const query = paths.query(view)
  return questionPage(request, {
    title: 'Paths',
    question: paths,
    subject: view.params.get('event') ?? undefined,
    asking: askForPage(request, query),
    isNothing: (answer) => answer?.beginnings?.total === 0,
    form: fieldsOf(view),
    figures: ({ transitions, beginnings }, offered) => (
      <>
        <PathFigures
          view={view}
          home={home}
          offered={offered}
          transitions={transitions}
          usersHref={usersHrefOf(home, paths.path, query)}
        />
        {beginnings && <Beginnings view={view} names={beginnings.data} />}
      </>
    ),
  })
}

/** Where no event is chosen, with the most frequent ones to choose from. */
async function askForPage({ view, context }: ApplicationRequest, query: QueryParams) {
  const [found, beginnings] = await Promise.all([
    attempt(paths.operation.ask({ query }, context)),
    view.params.has('event') ? null : attempt(listEventNamesRoute.ask({ query: beginningsQuery(view) }, context)),
  ])
  if (found.problem) return found
  return { problem: null, data: { transitions: found.data.data, beginnings: beginnings?.data ?? null } }
}

interface BeginningsShown {
  readonly view: View
  readonly names: readonly { readonly name: string; readonly events: number }[]
}

function Beginnings({ view, names }: BeginningsShown) {
  return (
    <BarList
      title={isBackwards(view) ? 'Choose an end event' : 'Choose a start event'}
      of="Events"
      rows={names.map(({ name, events }) => ({
        label: name,
        value: events,
        href: hrefWith(view, { event: name }),
        action: pathsAction(view),
      }))}
      nothing={nothingIn(view)}
    />
  )
}

function nothingIn({ filters }: View): string {
  return filters.length > 0
    ? 'No events in this period match these filters.'
    : 'No events in this period. Choose a longer period.'
}

function fieldsOf(view: View): AskedFields {
  return {
    event: {
      label: isBackwards(view) ? 'Ending at' : 'Starting at',
      placeholder: labelOf(view, START_OF_SESSION),
    },
    direction: { label: 'Direction', options: { after: 'After', before: 'Before' } },
    steps: { label: 'Steps' },
    [MIN_SHARE]: { label: 'Min. share', options: { 0: 'none', 1: '1%', 2: '2%', 5: '5%', 10: '10%' } },
    exclude_pageviews: { label: 'Page views', options: { false: 'Show', true: 'Hide' } },
  }
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
          <Title view={view} />
        </h2>
        <PathsDrawing view={view} home={home} start={startOf(view)} minShare={minShare} {...shown} />
        <p class="hint">
          Within a session ({SESSION_GAP_MINUTES} min of inactivity). Repeats of the same event count once. Click an
          event to {pathsAction(view)}, or a ribbon to list its users.
        </p>
      </section>
      <PathTables view={view} {...shown} />
    </>
  )
}

function Title({ view }: Pick<FiguresShown, 'view'>) {
  const event = view.params.get('event')
  if (event === null)
    return <>{isBackwards(view) ? 'Paths to the end of sessions' : 'Paths from the start of sessions'}</>
  return (
    <>
      {isBackwards(view) ? 'Paths to ' : 'Paths from '}
      <bdi>{labelOf(view, event)}</bdi>
    </>
  )
}

function NoPaths({ view, offered: { names, isAll } }: Pick<FiguresShown, 'view' | 'offered'>) {
  const name = view.params.get('event')
  const isFiltered = view.filters.length > 0
  return (
    <Nothing view={view} title="No paths">
      {name === null && (isFiltered ? 'No session' : 'No sessions in this period. Choose a longer period.')}
      {name !== null && (
        <>
          No event <bdi class="name">{name}</bdi>
        </>
      )}
      {isFiltered && ' in this period matches these filters.'}
      {name !== null && !isFiltered && ' in this period. Check its spelling, or choose a longer period.'}
      {name !== null && isAll && !names.includes(name) && (
        <NearestName view={view} param="event" name={name} names={names} />
      )}
    </Nothing>
  )
}

export const pathsFace: Face = faceOf(paths, {
  page: 'paths',
  navigation: { label: 'Paths', icon: 'path' },
  make: pathsPage,
  words: ({ params, cell }) => {
    const [from, to] = [cell.from, cell.to].map((name) =>
      typeof name === 'string' ? labelOf({ params }, name) : 'Other events',
    )
    return [isBackwards({ params }) ? `${to} → ${from}` : `${from} → ${to}`, `Step ${cell.step}`]
  },
  draw: drawPaths,
  card: { breakdowns: () => [] },
})
