import type { Handler } from 'hono'
import { calendarOf } from '../../../base/time/calendar.ts'
import type { AppEnv } from '../../../http/context.ts'
import { listLatestEventsRoute } from '../../../questions/latest-events/routes.ts'
import { LIVE_MINUTES } from '../../../questions/live-users/live-users.ts'
import { countLiveUsersRoute } from '../../../questions/live-users/routes.ts'
import { EventTable } from '../../figures/event-table.tsx'
import { plainPage } from '../../frame/application-page.tsx'
import { LiveUsers } from '../../frame/live.tsx'
import { homeOf, readView } from '../../request/address.ts'
import { type ApplicationRequest, contextAbout, findApplication } from '../../request/application-request.ts'
import { attempt, ProblemNote } from '../../request/problem.tsx'
import { toCount } from '../../words/format.ts'

const NEWEST = '20'

/** The users active now, and the newest events. The page's script asks again every few seconds while the page is visible. */
export const livePage = plainPage(async (request) => ({
  title: 'Live',
  content: (
    <>
      <div class="stack" data-live={`${request.home}/events/live/now`}>
        {await liveContent(request)}
      </div>
      <noscript>
        <a href={request.view.path}>Reload</a>
      </noscript>
    </>
  ),
}))

/** The number in the header, for scripts. Throws `not-found`. */
export const liveUsers: Handler<AppEnv> = async (c) => {
  const { context } = contextAbout(c, await findApplication(c))
  const { data } = await countLiveUsersRoute.ask({}, context)
  return c.html(<LiveUsers users={data.users} />)
}

/** What the script asks for. Throws `not-found`. */
export const liveFragment: Handler<AppEnv> = async (c) => {
  const application = await findApplication(c)
  const { context } = contextAbout(c, application)
  const clock = { now: c.get('now'), timeZone: application.timeZone }
  const view = readView(new URL(c.req.url), calendarOf(clock.timeZone).dayOf(clock.now))
  return c.html(await liveContent({ context, clock, view, home: homeOf(application) }))
}

type Asking = Pick<ApplicationRequest, 'context' | 'clock' | 'view' | 'home'>

async function liveContent({ context, clock, view, home }: Asking) {
  const [users, newest] = await Promise.all([
    attempt(countLiveUsersRoute.ask({}, context)),
    attempt(listLatestEventsRoute.ask({ query: { limit: NEWEST } }, context)),
  ])
  if (users.problem) return <ProblemNote problem={users.problem} />
  if (newest.problem) return <ProblemNote problem={newest.problem} />
  const { users: count } = users.data.data
  return (
    <>
      <section class="card">
        <dl class="headlines">
          <div>
            <dt>Users active in the last {LIVE_MINUTES} minutes</dt>
            <dd>
              <data value={String(count)}>{toCount(count)}</data>
            </dd>
          </div>
        </dl>
      </section>
      <section class="card">
        <h2>Newest events</h2>
        <EventTable events={newest.data.data} view={view} home={home} clock={clock} />
      </section>
    </>
  )
}
