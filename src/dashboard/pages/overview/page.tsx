import { pinnedCards } from '../../cards/pinned.tsx'
import { Growth } from '../../faces/activity/growth.tsx'
import { ACTIVE_USERS, activityCommand } from '../../faces/activity/home.ts'
import { askForNames, EventsCard } from '../../faces/events/home.tsx'
import { askForNewest, LiveEvents, type NewestEvents } from '../../faces/live/newest.tsx'
import { askForValues, cardsOf, Flag, flagsShown, PropertyCard } from '../../faces/values/cards.tsx'
import { FirstSteps, RemoveFilters } from '../../figures/empty.tsx'
import { applicationPage } from '../../frame/application-page.tsx'
import { hrefWith, type View } from '../../request/address.ts'
import type { ApplicationRequest } from '../../request/application-request.ts'
import type { PageContent } from '../../request/page-content.ts'
import { ProblemNote } from '../../request/problem.tsx'
import { toDay, toLocalDate } from '../../words/format.ts'
import { FigureChart } from './chart.tsx'
import { askForHome, dailySeries, type HomeAnswer } from './question.ts'
import { FigureTiles } from './tiles.tsx'

export const overviewPage = applicationPage(overviewOf, { isLive: true })

async function overviewOf(request: ApplicationRequest): Promise<PageContent> {
  const { view, application, clock } = request
  const [home, pinned, newest, names, cards, flags] = await Promise.all([
    askForHome(request),
    pinnedCards(request),
    askForNewest(request),
    askForNames(request),
    Promise.all(cardsOf(view).map(async (card) => ({ card, values: await askForValues(request, card.chosen.name) }))),
    Promise.all(
      flagsShown(application).map(async (property) => ({ property, values: await askForValues(request, property) })),
    ),
  ])
  const { data: answer, problem } = home
  const isEmpty = newest.data?.data.length === 0 && view.filters.length === 0
  const command = activityCommand(view)
  if (isEmpty) return { title: 'Home', command, content: <FirstSteps application={application} /> }
  const isNothing = answer !== null && usersIn(answer) === 0
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

/** Active users. */
function usersIn({ answers }: HomeAnswer): number {
  return dailySeries(ACTIVE_USERS, answers)?.key_value ?? 0
}

interface ContentShown {
  readonly request: ApplicationRequest
  readonly answer: HomeAnswer
  readonly pinned: Awaited<ReturnType<typeof pinnedCards>>
  readonly newest: NewestEvents
  readonly names: Awaited<ReturnType<typeof askForNames>>
  readonly cards: readonly Pick<Parameters<typeof PropertyCard>[0], 'card' | 'values'>[]
  readonly flags: readonly Pick<Parameters<typeof Flag>[0], 'property' | 'values'>[]
}

function HomeContent({ request, answer, pinned, newest, names, cards, flags }: ContentShown) {
  const { view, home, clock } = request
  const users = usersIn(answer)
  const shown = { view, home, clock, answer }
  const [sources, locations, devices] = cards.map((card) => (
    <PropertyCard {...card} view={view} home={home} users={users}>
      {card.card.id === 'devices' && flags.map((flag) => <Flag {...flag} view={view} home={home} users={users} />)}
    </PropertyCard>
  ))
  return (
    <>
      <section class="metrics">
        <FigureTiles {...shown} />
        <FigureChart {...shown} />
      </section>
      <div class="pairs">
        {sources}
        {locations}
        <EventsCard view={view} home={home} names={names} />
        {devices}
      </div>
      <Growth view={view} home={home} activity={answer.activity} />
      {pinned}
      <LiveEvents newest={newest} view={view} home={home} clock={clock} />
    </>
  )
}

interface NothingShown extends Pick<ApplicationRequest, 'view' | 'clock'> {
  readonly newest: NewestEvents
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
