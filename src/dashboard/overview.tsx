import { listEventNamesRoute } from '../reports/event-names/routes.ts'
import { listLatestEventsRoute } from '../reports/latest-events/routes.ts'
import { listPropertyValuesRoute } from '../reports/property-values/routes.ts'
import { averageSessionsRoute, countSessionLengthsRoute } from '../reports/sessions/routes.ts'
import { getUserActivityRoute } from '../reports/user-activity/routes.ts'
import { hrefTo, hrefWith } from './address.ts'
import { applicationPage } from './application-page.tsx'
import type { ApplicationRequest } from './application-request.ts'
import { BarList } from './components/bar-list.tsx'
import { EventTable } from './components/event-table.tsx'
import { FirstSteps } from './components/first-steps.tsx'
import { RemoveFilters } from './components/nothing.tsx'
import { type Attempt, attempt, type Problem, ProblemNote } from './components/problem.tsx'
import { toCount, toDay } from './format.ts'
import { OverviewFigures } from './overview-figures.tsx'
import { rowsOfValues } from './value-rows.ts'
import type { View } from './view.ts'
import { commonQuery, queryBefore } from './view-query.ts'

/** The properties whose values the overview shows, in their order. */
const BREAKDOWNS = [
  { property: 'country', title: 'Countries', nothing: 'No country is known yet.' },
  { property: 'language', title: 'Languages', nothing: 'No language is known yet.' },
  { property: 'os', title: 'Systems', nothing: 'No system is known yet.' },
  { property: 'device', title: 'Messenger apps', nothing: 'No app is known yet.' },
  { property: 'brand', title: 'Brands', nothing: 'No brand of a device is known yet.' },
  { property: 'start_parameter', title: 'Start parameters', nothing: 'Nobody came by a link with a start parameter.' },
  { property: 'is_premium', title: 'Premium', nothing: 'Nothing is known of premium yet.' },
] as const

/** Shown where the application's mini-app is checked: else all users are in one row. */
const VERIFIED = { property: 'verified', title: 'Verified', nothing: 'No event in this period.' } as const

function breakdownsOf({ botId }: ApplicationRequest['application']) {
  return botId === null ? BREAKDOWNS : [...BREAKDOWNS, VERIFIED]
}

const ROWS = '8'
const NEWEST = '10'

/** One screen for the morning: how many, more or fewer than before, where from, what they do. */
export const overviewPage = applicationPage(async (request) => {
  const { view, application, home, c } = request
  const [activity, before, sessions, lengths, names, newest, ...values] = await askAll(request)
  const isEmpty = newest.data?.data.length === 0 && view.filters.length === 0
  const problem = activity.problem
  if (isEmpty) return { title: 'Overview', content: <FirstSteps application={application} /> }
  const isNothing = activity.data?.yValues.find(({ name }) => name === 'dau')?.key_value === 0
  if (isNothing) return { title: 'Overview', content: <NothingMatches view={view} newest={newest} /> }
  return {
    title: 'Overview',
    scripts: ['plots.js'],
    status: problem?.status,
    content: problem ? (
      <ProblemNote problem={problem} />
    ) : (
      <>
        <OverviewFigures view={view} activity={activity.data} before={before?.data ?? null} sessions={sessions.data} />
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
          <SessionLengths lengths={lengths} />
        </div>
        <section class="card">
          <h2>Newest events</h2>
          {newest.problem ? (
            <ProblemNote problem={newest.problem} />
          ) : (
            <EventTable events={newest.data.data} view={view} home={home} now={c.get('now')} />
          )}
        </section>
      </>
    ),
  }
})

/** All questions at once. */
function askAll(request: ApplicationRequest) {
  const { view, context, application } = request
  const query = commonQuery(view)
  const earlier = queryBefore(request)
  const { filters = [] } = query
  return Promise.all([
    attempt(getUserActivityRoute.ask({ query }, context)),
    earlier && attempt(getUserActivityRoute.ask({ query: earlier }, context)),
    attempt(averageSessionsRoute.ask({ query }, context)),
    attempt(countSessionLengthsRoute.ask({ query }, context)),
    attempt(listEventNamesRoute.ask({ query: { ...query, limit: ROWS } }, context)),
    attempt(listLatestEventsRoute.ask({ query: { filters, limit: NEWEST } }, context)),
    ...breakdownsOf(application).map(({ property }) =>
      attempt(listPropertyValuesRoute.ask({ path: { property }, query: { ...query, limit: ROWS } }, context)),
    ),
  ] as const)
}

type Answer<R extends { ask: (...args: never[]) => Promise<unknown> }> = Awaited<ReturnType<R['ask']>>

interface Shown {
  readonly view: View
  readonly home: string
}

/** Says what to change where no event of the period passes the filters. */
function NothingMatches({ view, newest }: { view: View; newest: Attempt<Answer<typeof listLatestEventsRoute>> }) {
  const last = newest.data?.data[0]
  return (
    <section class="card">
      <h2>{whyNothing(view)}</h2>
      {last && (
        <p>{`The last ${view.filters.length > 0 ? 'event that passes them' : 'event'} was on ${toDay(last.time.slice(0, 10))}.`}</p>
      )}
      <p>
        <RemoveFilters view={view} />
        {view.filters.length > 0 && ', or '}
        <a href={hrefWith(view, { start: null, end: null, period: '90d' })}>look at 90 days</a>.
      </p>
    </section>
  )
}

function whyNothing({ period, today, filters }: View): string {
  if (period && period.from > today) return 'These days are still to come'
  return filters.length > 0 ? 'Nothing passes these filters' : 'Nothing happened in this period'
}

function TopEvents({ view, home, names }: Shown & { names: Attempt<Answer<typeof listEventNamesRoute>> }) {
  if (names.problem) return <Missing title="Events" problem={names.problem} />
  const { data, total } = names.data
  const rows = data.map(({ name, events }) => ({
    label: name,
    value: events,
    href: hrefTo(view, `${home}/events`, { event: name }),
    action: 'show by day',
  }))
  return (
    <BarList title="Events" of="Events" rows={rows} nothing="No event in this period.">
      <More total={total} shown={rows.length} noun="names" href={hrefTo(view, `${home}/events`)} />
    </BarList>
  )
}

type BreakdownShown = Shown &
  ReturnType<typeof breakdownsOf>[number] & {
    readonly values: Attempt<Answer<typeof listPropertyValuesRoute>>
    readonly users: number
  }

/** Users by a property's value. Somebody who was in two countries is in both rows, so shares may add up to more than the whole. */
function Breakdown({ view, home, property, title, nothing, values, users }: BreakdownShown) {
  if (values.problem) return <Missing title={title} problem={values.problem} />
  const { data, total } = values.data
  const rows = rowsOfValues(view, property, data)
  return (
    <BarList title={title} of="Users" rows={rows} whole={users} nothing={nothing}>
      <More
        total={total}
        shown={rows.length}
        noun={title.toLowerCase()}
        href={hrefTo(view, `${home}/values`, { property })}
      />
    </BarList>
  )
}

function SessionLengths({ lengths }: { lengths: Attempt<Answer<typeof countSessionLengthsRoute>> }) {
  if (lengths.problem) return <Missing title="Sessions by length" problem={lengths.problem} />
  const { series, xValues } = lengths.data.data
  const counts = series[0] ?? []
  const all = counts.reduce((sum, count) => sum + count, 0)
  const rows = all === 0 ? [] : xValues.map((label, place) => ({ label, value: counts[place] ?? 0 }))
  return (
    <BarList title="Sessions by length" of="Sessions" rows={rows} whole={all} nothing="No session in this period." />
  )
}

function Missing({ title, problem }: { title: string; problem: Problem }) {
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
