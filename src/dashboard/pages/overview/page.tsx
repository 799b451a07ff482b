import { pinnedCards } from '../../cards/pinned.tsx'
import { Growth } from '../../faces/activity/growth.tsx'
import { ACTIVE_USERS, activityCommand } from '../../faces/activity/home.ts'
import { eventsCard } from '../../faces/events/home.tsx'
import { askForNewest, LiveEvents, type NewestEvents } from '../../faces/live/newest.tsx'
import { valueCards } from '../../faces/values/cards.tsx'
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
  const asked = askForHome(request)
  const users = asked.then(({ data }) => (data ? usersIn(data) : 0))
  const [{ data: answer, problem }, newest, pinned, events, cards] = await Promise.all([
    asked,
    askForNewest(request),
    pinnedCards(request),
    eventsCard(request),
    valueCards(request, users),
  ])
  const page = { title: 'Home', command: activityCommand(view) }
  if (newest.data?.data.length === 0 && view.filters.length === 0)
    return { ...page, content: <FirstSteps application={application} /> }
  if (answer !== null && usersIn(answer) === 0)
    return { ...page, content: <NothingMatches view={view} clock={clock} newest={newest} /> }
  const [sources, locations, devices] = cards
  return {
    ...page,
    scripts: ['plots.js'],
    hasDays: true,
    status: problem?.status,
    content: problem ? (
      <ProblemNote problem={problem} />
    ) : (
      <>
        <section class="metrics">
          <FigureTiles {...request} answer={answer} />
          <FigureChart {...request} answer={answer} />
        </section>
        <div class="pairs">
          {sources}
          {locations}
          {events}
          {devices}
        </div>
        <Growth {...request} activity={answer.activity} />
        {pinned}
        <LiveEvents {...request} newest={newest} />
      </>
    ),
  }
}

/** Active users. */
function usersIn({ answers }: HomeAnswer): number {
  return dailySeries(ACTIVE_USERS, answers)?.key_value ?? 0
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
