import type { Context } from 'hono'
import { findByHandle } from '../../../accounts/applications/applications.ts'
import { calendarOf } from '../../../base/time/calendar.ts'
import type { AppEnv } from '../../../http/context.ts'
import { getMonthlyActiveUsersRoute } from '../../../questions/active-users/routes.ts'
import { findEarlierData } from '../../figures/comparison.ts'
import { Spark } from '../../figures/spark.tsx'
import { Change } from '../../figures/stat-tiles.tsx'
import { besideFigures, contextAbout } from '../../request/application-request.ts'
import { type Attempt, attempt } from '../../request/problem.tsx'
import { counted, toCount } from '../../words/format.ts'

/** A line of 30 days, and the day that the last of them is compared with. */
const DAYS = 31

/** Monthly active users on each of the last days. */
export interface MonthlyUsersShown {
  readonly users: readonly number[]
  /** Whether there were events before the month that the oldest one is of. */
  readonly isComparable: boolean
}

export function monthlyUsersOf(c: Context<AppEnv>, handle: string): Promise<Attempt<MonthlyUsersShown>> {
  const asked = { path: { handle }, query: { days: String(DAYS) } }
  const quiet = besideFigures(contextAbout(c, null).context)
  const answers = Promise.all([
    getMonthlyActiveUsersRoute.ask(asked, quiet),
    findByHandle(c.get('db'), handle).then(async (application) => {
      const today = calendarOf(application.timeZone).dayOf(c.get('now'))
      return (await findEarlierData(application, quiet)).isBeforeMonthOf(today - DAYS + 1)
    }),
  ])
  return attempt(
    answers.then(([{ timeseries_data: days }, isComparable]) => ({ users: Object.values(days), isComparable })),
  )
}

export function MonthlyUsers({ users, isComparable }: MonthlyUsersShown) {
  const [before = 0, now = 0] = [users[0], users.at(-1)]
  const change = before === 0 ? null : Math.round((now / before - 1) * 100)
  return (
    <>
      <span class="figure">
        <strong>{toCount(now)}</strong>
        <span class="hint">monthly active users</span>
        {(now > 0 || before > 0) && <Change change={isComparable || now === 0 ? change : null} vs="30 days ago" />}
      </span>
      <Spark
        data={users.slice(1)}
        label={`Monthly active users of the last 30 days: from ${counted(users[1] ?? 0, 'user')} to ${counted(now, 'user')}`}
      />
    </>
  )
}
