import type { RequestContext } from '../../../http/context.ts'
import { LIVE_MINUTES } from '../../../questions/live-users/live-users.ts'
import { countLiveUsersRoute } from '../../../questions/live-users/routes.ts'
import { besideFigures } from '../../request/application-request.ts'
import { attempt } from '../../request/problem.tsx'
import { toCount } from '../../words/format.ts'

interface LiveLinkShown {
  readonly home: string
  /** Users active in the last minutes; null if the page does not say how many, and does not ask again. */
  readonly users: number | null
}

/** Null if they cannot be counted right now. */
export async function countActiveNow(context: RequestContext): Promise<number | null> {
  const { data } = await attempt(countLiveUsersRoute.ask({}, besideFigures(context)))
  return data?.data.users ?? null
}

/** Leads to what happens now. Scripts keep its number up to date. */
export function LiveLink({ home, users }: LiveLinkShown) {
  const live = `${home}/events/live`
  return (
    <a class="live" href={live} title={LIVE_TITLE} data-live={users === null ? undefined : `${live}/users`}>
      <LiveUsers users={users} />
    </a>
  )
}

const LIVE_TITLE = `Users active in the last ${LIVE_MINUTES} minutes`

/** What the link to live users says. */
export function LiveUsers({ users }: Pick<LiveLinkShown, 'users'>) {
  if (users === null) return <span class="live-label">Live</span>
  return (
    <>
      <span class="unseen">Live: </span>
      <data value={String(users)}>{toCount(users)}</data> <span class="live-label">now</span>
    </>
  )
}
