import { ANY_EVENT } from '../../../questions/engine/event-name.ts'
import type { listEventNamesRoute } from '../../../questions/event-names/routes.ts'
import type { listPropertiesRoute } from '../../../questions/properties/routes.ts'
import { BarList } from '../../figures/bars.tsx'
import { COUNT, othersOf } from '../../figures/declared.ts'
import { RemoveFilters } from '../../figures/empty.tsx'
import { courseColumn, FigureTable } from '../../figures/figure-table.tsx'
import { usersHrefOf } from '../../figures/figure-users.ts'
import { Pagination } from '../../figures/pagination.tsx'
import { CsvLink } from '../../figures/plot.tsx'
import { Ago } from '../../figures/table.tsx'
import { faultsOf } from '../../forms/field.tsx'
import { OtherParams } from '../../forms/filter-bar.tsx'
import { BREAKDOWN, EventChoice, groupsOf, type QuestionFields, QuestionForm } from '../../forms/question-form.tsx'
import { commonQuery, endsToday, hrefTo, hrefWith, type View } from '../../request/address.ts'
import type { AnswerTo, ApplicationRequest } from '../../request/application-request.ts'
import type { PageContent } from '../../request/page-content.ts'
import { attempt } from '../../request/problem.tsx'
import { toDay, toLocalDate } from '../../words/format.ts'
import { labelOfProperty } from '../../words/labels.ts'
import { eventIn, textIn } from '../cell-words.ts'
import { cardAsking, type Face, faceOf, given } from '../face.ts'
import { questionPage } from '../question-page.tsx'
import { drawEvent, drawNames } from './card.ts'
import { eventsTable } from './csv.ts'
import { EventFigures } from './figures.tsx'
import { askForSizes, showsValues } from './group-sizes.ts'
import { MeasureChoice, ParamChoice } from './measure-choice.tsx'
import { isOwnParam, paramsByEvents } from './offered.ts'
import { askForCatalogue, askForEvent, askForParams, type EventCourses, eventNames, segments } from './question.ts'

async function oneEvent(request: ApplicationRequest): Promise<PageContent> {
  const { view, home } = request
  const event = view.params.get('event') ?? ''
  const [params, listed] = await Promise.all([paramsByEvents(request, [event]), askForParams(request, event)])
  return questionPage(request, {
    title: 'Events',
    question: segments,
    subject: event && eventIn(event),
    scripts: ['plots.js'],
    hasDays: true,
    asking: askForEvent(request),
    form: (fields, { isAll }) => <EventsForm {...fields} params={params} isAll={isAll} />,
    figures: (answer, { names }) => (
      <>
        <EventFigures view={view} home={home} groups={groupsOf(view)} names={names} {...answer} />
        {listed.data && <EventParams view={view} {...listed.data} />}
      </>
    ),
  })
}

function EventsForm({ isAll, ...fields }: QuestionFields & { readonly isAll: boolean }) {
  const { view, names, params, problem } = fields
  const asked = (name: string) => view.params.get(name) ?? ''
  return (
    <QuestionForm {...fields} question={segments} fields={BREAKDOWN} own={eventNames.own} hasAny>
      <EventChoice label="Event" name="event" value={asked('event')} names={names} isAll={isAll} problem={problem} />
      <MeasureChoice label="Measure" name="mode" value={asked('mode')} ofName="of" faults={faultsOf(problem, 'mode')} />
      <ParamChoice label="Parameter" name="of" value={asked('of')} params={params} faults={faultsOf(problem, 'of')} />
    </QuestionForm>
  )
}

interface ParamsShown extends Pick<AnswerTo<typeof listPropertiesRoute>, 'data' | 'total'> {
  readonly view: View
}

/** The parameters that the event came with. A click breaks it down by one. */
function EventParams({ view, data, total }: ParamsShown) {
  const rows = data.filter(isOwnParam).map(({ property, events }) => ({
    label: labelOfProperty(property),
    value: events,
    href: hrefWith(view, { group_by: JSON.stringify([property]) }),
    action: 'break down by it',
  }))
  if (rows.length === 0) return null
  const others = othersOf({ groups_total: total }, data.length)
  return <BarList title="Parameters" of="Events" rows={rows} others={others} nothing="No parameters." />
}

function allNames(request: ApplicationRequest): Promise<PageContent> {
  const { view, home, clock } = request
  return questionPage(request, {
    title: 'Events',
    question: eventNames,
    asking: attempt(askForCatalogue(request)),
    isNothing: (answer) => answer?.names.total === 0,
    figures: (answer) => <NamesTable view={view} home={home} clock={clock} {...answer} />,
  })
}

interface NamesShown extends Pick<ApplicationRequest, 'view' | 'home' | 'clock'> {
  readonly names: AnswerTo<typeof listEventNamesRoute>
  readonly courses: EventCourses
}

function NamesTable({ view, home, names, courses, clock }: NamesShown) {
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
        <Names view={view} home={home} rows={data} courses={courses} clock={clock} />
      )}
      <div class="heading">
        <Pagination view={view} offset={offset} limit={limit} total={total} shown={data.length} />
        <p class="more">
          <a href={`${home}/events/live`}>Live</a>
          {' · '}
          <a href={hrefWith(view, { event: ANY_EVENT, contains: null, offset: null })}>Any event</a>
          {' · '}
          <CsvLink view={view} href={`${home}/events.csv`} />
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

type NamesRows = Omit<NamesShown, 'names'> & { readonly rows: NamesShown['names']['data'] }

function Names({ view, home, rows, courses, clock }: NamesRows) {
  const usersHref = usersHrefOf(home, eventNames.path, commonQuery(view))
  return (
    <FigureTable
      label="All events"
      isTall
      of="Event"
      rows={rows}
      nameOf={({ name }) => (
        <a href={hrefTo(view, view.path, { event: name })}>
          <bdi title={name}>{name}</bdi>
        </a>
      )}
      columns={[
        courseColumn<NamesRows['rows'][number]>(({ name }) => courses.get(name) ?? [], endsToday(view) ? 'day' : null),
        { label: 'Events', unit: COUNT, of: ({ events }) => events },
        { label: 'Users', unit: COUNT, of: ({ users }) => users, users: ({ name }) => usersHref({ name }) },
        {
          head: { label: 'First seen' },
          draw: ({ first_seen_at: first }) => <time datetime={first}>{toDay(toLocalDate(first, clock))}</time>,
        },
        { head: { label: 'Last seen' }, draw: ({ last_seen_at: last }) => <Ago iso={last} clock={clock} /> },
      ]}
    />
  )
}

const [askEvent, askNames] = [cardAsking(segments, drawEvent), cardAsking(eventNames, drawNames)]

/** The names that occurred; or one event by day, and by group. */
export const eventsFace: Face = faceOf(segments, {
  page: 'events',
  navigation: { label: 'Events', icon: 'list' },
  make: (request) => (request.view.params.has('event') ? oneEvent(request) : allNames(request)),
  kind: 'live',
  csv: eventsTable,
  answers: {
    segmentEvents: ({ query }) => [
      ['event', query.get('event') ?? query.get('event_type') ?? ''],
      ...given(query, ['mode', 'of', 'group_by']),
    ],
    analyzeEventHours: ({ query }) => given(query, ['event', 'mode']),
    listEventNames: ({ query }) => given(query, ['contains']),
  },
  words: ({ params }) => [eventIn(params.get('event') ?? params.get('event_type'))],
  otherWords: { [eventNames.path]: ({ cell }) => [textIn(cell.name)] },
  draw: drawEvent,
  card: {
    ask: (view) => (view.params.has('event') ? askEvent : askNames)(view),
    sizes: (view, context) => askForSizes(view, context, { event: view.params.get('event') ?? '' }),
    isOfValues: ({ params }) => showsValues(params.get('mode')),
  },
})
