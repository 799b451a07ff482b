import type { Handler } from 'hono'
import type { AppEnv } from '../../../http/context.ts'
import { listLatestEventsRoute } from '../../../questions/latest-events/routes.ts'
import { LIVE_MINUTES } from '../../../questions/live-users/live-users.ts'
import { countLiveUsersRoute } from '../../../questions/live-users/routes.ts'
import { type ApplicationRequest, requestAt } from '../../request/application-request.ts'
import { attempt, ProblemNote } from '../../request/problem.tsx'
import { toCount } from '../../words/format.ts'
import { EventTable } from '../events/event-table.tsx'
import type { Face } from '../face.ts'
import { LiveUsers } from './link.tsx'

const NEWEST = '20'

/** Who is active now, and what happens. The script of the page asks again every few seconds, while the page is visible. */
async function livePage(request: ApplicationRequest) {
  return {
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
  }
}

/** The number in the header, for scripts. Throws `not-found`. */
const liveUsers: Handler<AppEnv> = async (c) => {
  const { context } = await requestAt(c)
  const { data } = await countLiveUsersRoute.ask({}, context)
  return c.html(<LiveUsers users={data.users} />)
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

/** What happens now. The link in the header leads to it. */
export const liveFace: Face = {
  page: 'events/live',
  make: livePage,
  kind: 'plain',
  fragments: { now: async (c) => c.html(await liveContent(await requestAt(c))), users: liveUsers },
  answers: { countLiveUsers: () => [] },
}
