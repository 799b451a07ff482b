import { listEventNamesRoute } from '../../../questions/event-names/routes.ts'
import { listLatestEventsRoute } from '../../../questions/latest-events/routes.ts'
import { listPropertyValuesRoute } from '../../../questions/property-values/routes.ts'
import { getRevenueRoute } from '../../../questions/revenue/routes.ts'
import { summarizeSessionsRoute } from '../../../questions/sessions/routes.ts'
import { getUserActivityRoute } from '../../../questions/user-activity/routes.ts'
import { commonQuery, hrefTo, hrefWith, type View } from '../../address.ts'
import { applicationPage } from '../../application-page.tsx'
import type { AnswerTo, ApplicationRequest } from '../../application-request.ts'
import { askByHour } from '../../by-hour.ts'
import { askBefore } from '../../comparison.ts'
import { BarList, rowsOfValues } from '../../components/bars.tsx'
import { FirstSteps, RemoveFilters } from '../../components/empty.tsx'
import { LINE_CHARACTERS, lineOf, start, textsOf } from '../../components/event-params.ts'
import { type Attempt, attempt, type PageProblem, ProblemNote } from '../../components/problem.tsx'
import { ANY_EVENT } from '../../components/question-form.tsx'
import { Ago, ListTable } from '../../components/table.tsx'
import { type Clock, toCount, toDay, toLocalDate } from '../../format.ts'
import { labelOfValue } from '../../labels.ts'
import { OverviewFigures } from './figures.tsx'

const BREAKDOWNS = [
  { property: 'country', title: 'Countries', noun: 'countries' },
  { property: 'language', title: 'Languages', noun: 'languages' },
  { property: 'os', title: 'OS', noun: 'operating systems' },
  { property: 'device', title: 'Telegram client', noun: 'Telegram clients' },
  { property: 'brand', title: 'Device brand', noun: 'device brands' },
  { property: 'start_parameter', title: 'Sources (start parameter)', noun: 'sources' },
  { property: 'is_premium', title: 'Premium', noun: 'premium users' },
] as const

/** Only with a bot id: without one, nobody is verified. */
const VERIFIED = { property: 'verified', title: 'Verified', noun: 'verified users' } as const

function breakdownsOf({ botId }: ApplicationRequest['application']) {
  return botId === null ? BREAKDOWNS : [...BREAKDOWNS, VERIFIED]
}

const ROWS = '8'
const NEWEST = '10'

export const overviewPage = applicationPage(async (request) => {
  const { view, application, home, clock } = request
  const [activity, compared, sessions, names, newest, revenue, hours, ...values] = await askAll(request)
  const isEmpty = newest.data?.data.length === 0 && view.filters.length === 0
  const problem = activity.problem
  if (isEmpty) return { title: 'Home', content: <FirstSteps application={application} /> }
  const isNothing = activity.data?.yValues.find(({ name }) => name === 'dau')?.key_value === 0
  if (isNothing) return { title: 'Home', content: <NothingMatches view={view} clock={clock} newest={newest} /> }
  return {
    title: 'Home',
    scripts: ['plots.js'],
    hasDays: true,
    status: problem?.status,
    content: problem ? (
      <ProblemNote problem={problem} />
    ) : (
      <>
        <OverviewFigures
          view={view}
          home={home}
          activity={activity.data}
          {...compared}
          sessions={sessions.data?.averages ?? null}
          revenue={revenue.data}
          hours={hours}
          clock={clock}
        />
        <div class="grid">
          <TopEvents view={view} home={home} names={names} />
          {breakdownsOf(application).map((breakdown, place) => (
            <Breakdown
              {...breakdown}
              view={view}
              home={home}
              values={values[place] as (typeof values)[number]}
              users={activity.data.yValues[0]?.key_value ?? 0}
            />
          ))}
          <SessionLengths sessions={sessions} />
        </div>
        <section class="card">
          <h2>Live events</h2>
          {newest.problem ? (
            <ProblemNote problem={newest.problem} />
          ) : (
            <EventTable events={newest.data.data} view={view} home={home} clock={clock} />
          )}
        </section>
      </>
    ),
  }
})

function askAll(request: ApplicationRequest) {
  const { view, context, application } = request
  const query = commonQuery(view)
  const { filters = [] } = query
  return Promise.all([
    attempt(getUserActivityRoute.ask({ query }, context)),
    askBefore(request, (before) => getUserActivityRoute.ask({ query: before }, context)),
    attempt(summarizeSessionsRoute.ask({ query }, context)),
    attempt(listEventNamesRoute.ask({ query: { ...query, limit: ROWS } }, context)),
    attempt(listLatestEventsRoute.ask({ query: { filters, limit: NEWEST } }, context)),
    attempt(getRevenueRoute.ask({ query }, context)),
    askByHour(request, [
      { event: ANY_EVENT, mode: 'uniques', name: 'Active users' },
      { event: ANY_EVENT, mode: 'totals', name: 'Events' },
    ]),
    ...breakdownsOf(application).map(({ property }) =>
      attempt(listPropertyValuesRoute.ask({ path: { property }, query: { ...query, limit: ROWS } }, context)),
    ),
  ] as const)
}

interface Shown {
  readonly view: View
  readonly home: string
}

interface NothingShown extends Pick<ApplicationRequest, 'view' | 'clock'> {
  readonly newest: Attempt<AnswerTo<typeof listLatestEventsRoute>>
}

function NothingMatches({ view, clock, newest }: NothingShown) {
  const last = newest.data?.data[0]
  return (
    <section class="card">
      <h2>{whyNothing(view)}</h2>
      {last && (
        <p>{`The last ${view.filters.length > 0 ? 'matching event' : 'event'} was on ${toDay(toLocalDate(last.time, clock))}.`}</p>
      )}
      <p>
        <RemoveFilters view={view} />
        {view.filters.length > 0 && ' · '}
        <a href={hrefWith(view, { start: null, end: null, period: '90d' })}>Show 90 days</a>
      </p>
    </section>
  )
}

function whyNothing({ period, today, filters }: View): string {
  if (period && period.from > today) return 'This period is in the future'
  return filters.length > 0 ? 'No events match these filters' : 'No events in this period'
}

function TopEvents({ view, home, names }: Shown & { names: Attempt<AnswerTo<typeof listEventNamesRoute>> }) {
  if (names.problem) return <Missing title="Events" problem={names.problem} />
  const { data, total } = names.data
  const rows = data.map(({ name, events }) => ({
    label: name,
    value: events,
    href: hrefTo(view, `${home}/events`, { event: name }),
    action: 'show trend',
  }))
  return (
    <BarList title="Events" of="Events" rows={rows} nothing="No events in this period.">
      <More total={total} shown={rows.length} noun="events" href={hrefTo(view, `${home}/events`)} />
    </BarList>
  )
}

type BreakdownShown = Shown &
  ReturnType<typeof breakdownsOf>[number] & {
    readonly values: Attempt<AnswerTo<typeof listPropertyValuesRoute>>
    readonly users: number
  }

/** A user of two countries is in both rows, so shares may add up to more than 100%. */
function Breakdown({ view, home, property, title, noun, values, users }: BreakdownShown) {
  if (values.problem) return <Missing title={title} problem={values.problem} />
  const { data, total } = values.data
  const rows = rowsOfValues(view, home, { property, values: data })
  return (
    <BarList title={title} of="Users" rows={rows} whole={users} nothing={`No ${noun} in this period.`}>
      <More total={total} shown={rows.length} noun={noun} href={hrefTo(view, `${home}/values`, { property })} />
    </BarList>
  )
}

function SessionLengths({ sessions }: { sessions: Attempt<AnswerTo<typeof summarizeSessionsRoute>> }) {
  if (sessions.problem) return <Missing title="Session length" problem={sessions.problem} />
  const { series, xValues } = sessions.data.lengths.data
  const counts = series[0] ?? []
  const all = counts.reduce((sum, count) => sum + count, 0)
  const rows = all === 0 ? [] : xValues.map((label, place) => ({ label, value: counts[place] ?? 0 }))
  return <BarList title="Session length" of="Sessions" rows={rows} whole={all} nothing="No sessions in this period." />
}

function Missing({ title, problem }: { title: string; problem: PageProblem }) {
  return (
    <section class="card">
      <h2>{title}</h2>
      <ProblemNote problem={problem} />
    </section>
  )
}

function More({ total, shown, noun, href }: { total: number; shown: number; noun: string; href: string }) {
  if (total <= shown) return null
  return (
    <p class="more">
      <a href={href}>{`All ${toCount(total)} ${noun}`}</a>
    </p>
  )
}

interface EventTableShown extends Shown {
  readonly events: AnswerTo<typeof listLatestEventsRoute>['data']
  readonly clock: Clock
}

function EventTable({ events, view, home, clock }: EventTableShown) {
  if (events.length === 0) return <p class="nothing">No events match these filters.</p>
  return (
    <ListTable label="Events" columns={['Event', 'Time', 'User', 'Country', 'Client', 'Parameters']}>
      {events.map(({ name, time, telegram_id: id, context, params }) => (
        <tr>
          <th scope="row">
            <bdi title={name}>{name}</bdi>
          </th>
          <td>
            <Ago iso={time} clock={clock} />
          </td>
          <td>
            <a href={hrefTo(view, `${home}/users/${id}`)}>{id}</a>
          </td>
          <td>
            <bdi>{context.country ?? '–'}</bdi>
          </td>
          <td>{typeof context.device === 'string' ? labelOfValue('device', context.device) : '–'}</td>
          <td class="params">
            <Params params={params} />
          </td>
        </tr>
      ))}
    </ListTable>
  )
}

function Params({ params }: Pick<EventTableShown['events'][number], 'params'>) {
  const line = lineOf(textsOf(params))
  return <bdi title={line}>{start(line, LINE_CHARACTERS) || '–'}</bdi>
}
