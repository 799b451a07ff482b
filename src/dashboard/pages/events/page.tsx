import type { listEventNamesRoute } from '../../../questions/event-names/routes.ts'
import { EVENTS_PARAMS } from '../../../questions/saved/contract.ts'
import { commonQuery, hrefTo, hrefWith, type View } from '../../address.ts'
import { applicationPage, type PageContent } from '../../application-page.tsx'
import type { AnswerTo, ApplicationRequest } from '../../application-request.ts'
import { RemoveFilters } from '../../components/empty.tsx'
import { OtherParams } from '../../components/filter-bar.tsx'
import { Pagination } from '../../components/pagination.tsx'
import { attempt } from '../../components/problem.tsx'
import {
  ANY_EVENT,
  Choice,
  EventField,
  GroupPickers,
  groupsOf,
  type QuestionFields,
  QuestionForm,
} from '../../components/question-form.tsx'
import { Ago, ListTable, NumberCell, numberColumn } from '../../components/table.tsx'
import { usersHrefOf } from '../../figure-users.ts'
import { type Clock, toDay, toLocalDate } from '../../format.ts'
import { labelOfProperty } from '../../labels.ts'
import { questionPage } from '../../question-page.tsx'
import { CsvLink, EventFigures } from './figures.tsx'
import { askForEvent, askForNames, MODES } from './question.ts'

/** The names that occurred; or one event by day, and by group. */
export const eventsPage = applicationPage(
  (request) => (request.view.params.has('event') ? oneEvent(request) : allNames(request)),
  { isLive: true },
)

/** `_active` counts any event. */
function labelOfEvent(name: string | null): string | undefined {
  return name === ANY_EVENT ? 'Any event' : (name ?? undefined)
}

function oneEvent(request: ApplicationRequest): Promise<PageContent> {
  const { view, home } = request
  return questionPage(request, {
    title: 'Events',
    subject: labelOfEvent(view.params.get('event')),
    scripts: ['plots.js'],
    hasDays: true,
    asking: askForEvent(request),
    fields: EVENTS_PARAMS,
    form: EventsForm,
    figures: (answer, { names }) => (
      <EventFigures view={view} home={home} groups={groupsOf(view)} names={names} {...answer} />
    ),
  })
}

const MODE_OPTIONS = MODES.map(({ mode, label }) => [mode, label] as const)

function EventsForm({ view, names, params, cohorts, problem }: QuestionFields) {
  return (
    <QuestionForm view={view} own={[...EVENTS_PARAMS, 'contains', 'offset']} names={names} hasAny>
      <div class="row">
        <EventField view={view} problem={problem} />
        <Choice view={view} label="Measure" name="mode" unsaid="uniques" options={MODE_OPTIONS} problem={problem} />
        <Choice
          view={view}
          label="Parameter"
          name="of"
          options={[['', 'none'], ...params.map((param) => [param, labelOfProperty(param)] as const)]}
          problem={problem}
        />
        <GroupPickers view={view} params={params} cohorts={cohorts} problem={problem} />
        <button type="submit">Apply</button>
      </div>
    </QuestionForm>
  )
}

function allNames(request: ApplicationRequest): Promise<PageContent> {
  const { view, home, clock } = request
  return questionPage(request, {
    title: 'Events',
    asking: attempt(askForNames(request)),
    isNothing: (names) => names?.total === 0,
    form: EventsForm,
    figures: (names) => <NamesTable view={view} home={home} names={names} clock={clock} />,
  })
}

interface NamesShown {
  readonly view: View
  readonly home: string
  readonly names: AnswerTo<typeof listEventNamesRoute>
  readonly clock: Clock
}

function NamesTable({ view, home, names, clock }: NamesShown) {
  const { data, total, offset, limit } = names
  const contains = view.params.get('contains') ?? ''
  return (
    <section class="card">
      <div class="heading">
        <h2>All events</h2>
        <form method="get" action={view.path} class="find">
          <OtherParams view={view} without={['contains', 'offset']} />
          <input
            type="search"
            name="contains"
            value={contains}
            aria-label="Search events; case-sensitive"
            placeholder="Search events"
          />
          <button type="submit" class="quiet">
            Search
          </button>
        </form>
      </div>
      {data.length === 0 ? (
        <NoNames view={view} contains={contains} />
      ) : (
        <Names view={view} home={home} rows={data} clock={clock} />
      )}
      <div class="heading">
        <Pagination view={view} offset={offset} limit={limit} total={total} shown={data.length} />
        <p class="more">
          <a href={`${home}/events/live`}>Live</a>
          {' · '}
          <a href={hrefWith(view, { event: ANY_EVENT, contains: null, offset: null })}>Any event</a>
          {' · '}
          <CsvLink view={view} home={home} />
        </p>
      </div>
    </section>
  )
}

function NoNames({ view, contains }: { view: View; contains: string }) {
  if (contains !== '') {
    return (
      <p class="nothing">
        No event name contains “<bdi>{contains}</bdi>”. The search is case-sensitive.{' '}
        <a href={hrefWith(view, { contains: null, offset: null })}>Show all events</a>
      </p>
    )
  }
  if (view.filters.length === 0) return <p class="nothing">No events in this period. Choose a longer period.</p>
  return (
    <p class="nothing">
      No events in this period match these filters. <RemoveFilters view={view} />
    </p>
  )
}

function Names({ view, home, rows, clock }: Omit<NamesShown, 'names'> & { rows: NamesShown['names']['data'] }) {
  const usersHref = usersHrefOf(home, '/events/names', commonQuery(view))
  return (
    <ListTable
      label="All events"
      isTall
      columns={['Event', numberColumn('Events'), numberColumn('Users'), 'First seen', 'Last seen']}
    >
      {rows.map(({ name, events, users, first_seen_at: first, last_seen_at: last }) => (
        <tr>
          <th scope="row">
            <a href={hrefTo(view, view.path, { event: name })}>
              <bdi title={name}>{name}</bdi>
            </a>
          </th>
          <NumberCell value={events} />
          <NumberCell value={users} users={usersHref({ name })} />
          <td>
            <time datetime={first}>{toDay(toLocalDate(first, clock))}</time>
          </td>
          <td>
            <Ago iso={last} clock={clock} />
          </td>
        </tr>
      ))}
    </ListTable>
  )
}
