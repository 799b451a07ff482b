import { listEventNamesRoute } from '../../../questions/event-names/routes.ts'
import type { listLatestEventsRoute } from '../../../questions/latest-events/routes.ts'
import { listPropertyValuesRoute } from '../../../questions/property-values/routes.ts'
import { getUserActivityRoute } from '../../../questions/user-activity/routes.ts'
import { pinnedCards } from '../../cards/pinned.tsx'
import { EventTable } from '../../faces/events/event-table.tsx'
import { FirstSteps, RemoveFilters } from '../../figures/empty.tsx'
import { applicationPage } from '../../frame/application-page.tsx'
import { commonQuery, hrefWith, type View } from '../../request/address.ts'
import type { AnswerTo, ApplicationRequest } from '../../request/application-request.ts'
import type { PageContent } from '../../request/page-content.ts'
import { type Attempt, attempt, ProblemNote } from '../../request/problem.tsx'
import { toDay, toLocalDate } from '../../words/format.ts'
import { type CardValues, cardsOf, EventsCard, Flag, flagsShown, PropertyCard, ROWS } from './cards.tsx'
import { MetricChart } from './chart.tsx'
import { Growth } from './growth.tsx'
import { askForHome, askForNewest, type HomeAnswer, seriesOf } from './question.ts'
import { MetricTiles } from './tiles.tsx'

/** So that users without a value are among them, however few they are. */
const LISTED = '1000'

export const overviewPage = applicationPage(overviewOf, { isLive: true })

async function overviewOf(request: ApplicationRequest): Promise<PageContent> {
  const { view, application, clock } = request
  const [home, pinned, newest, names, cards, flags] = await Promise.all([
    askForHome(request),
    pinnedCards(request),
    askForNewest(request),
    attempt(listEventNamesRoute.ask({ query: { ...commonQuery(view), limit: String(ROWS) } }, request.context)),
    Promise.all(cardsOf(view).map(async (card) => ({ card, values: await askForValues(request, card.chosen.name) }))),
    Promise.all(
      flagsShown(application).map(async (property) => ({ property, values: await askForValues(request, property) })),
    ),
  ])
  const { data: answer, problem } = home
  const isEmpty = newest.data?.data.length === 0 && view.filters.length === 0
  const command = { operation: getUserActivityRoute, query: commonQuery(view) }
  if (isEmpty) return { title: 'Home', command, content: <FirstSteps application={application} /> }
  const isNothing = answer !== null && seriesOf(answer.activity, 'dau').key_value === 0
  if (isNothing)
    return { title: 'Home', command, content: <NothingMatches view={view} clock={clock} newest={newest} /> }
  return {
    title: 'Home',
    command,
    scripts: ['plots.js'],
    hasDays: true,
    status: problem?.status,
    content: problem ? (
      <ProblemNote problem={problem} />
    ) : (
      <HomeContent {...{ request, answer, pinned, newest, names, cards, flags }} />
    ),
  }
}

type Newest = Awaited<ReturnType<typeof askForNewest>>

interface ContentShown {
  readonly request: ApplicationRequest
  readonly answer: HomeAnswer
  readonly pinned: Awaited<ReturnType<typeof pinnedCards>>
  readonly newest: Newest
  readonly names: Attempt<AnswerTo<typeof listEventNamesRoute>>
  readonly cards: readonly { readonly card: ReturnType<typeof cardsOf>[number]; readonly values: CardValues }[]
  readonly flags: readonly { readonly property: string; readonly values: CardValues }[]
}

function HomeContent({ request, answer, pinned, newest, names, cards, flags }: ContentShown) {
  const { view, home, clock } = request
  const users = seriesOf(answer.activity, 'dau').key_value
  const shown = { view, home, clock, answer }
  const [sources, locations, devices] = cards.map((card) => (
    <PropertyCard {...card} view={view} home={home} users={users}>
      {card.card.id === 'devices' && flags.map((flag) => <Flag {...flag} view={view} home={home} users={users} />)}
    </PropertyCard>
  ))
  return (
    <>
      <section class="metrics">
        <MetricTiles {...shown} />
        <MetricChart {...shown} />
      </section>
      <div class="pairs">
        {sources}
        {locations}
        <EventsCard view={view} home={home} names={names} />
        {devices}
      </div>
      <Growth {...shown} />
      {pinned}
      <section class="card">
        <div class="heading">
          <h2>Live events</h2>
          <p class="more">
            <a href={`${home}/events/live`}>Live</a>
          </p>
        </div>
        {newest.problem ? (
          <ProblemNote problem={newest.problem} />
        ) : (
          <EventTable events={newest.data.data} view={view} home={home} clock={clock} />
        )}
      </section>
    </>
  )
}

function askForValues({ view, context }: ApplicationRequest, property: string) {
  const query = { ...commonQuery(view), missing: 'true', limit: LISTED }
  return attempt(listPropertyValuesRoute.ask({ path: { property }, query }, context))
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
