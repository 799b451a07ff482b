import type { Context, Handler } from 'hono'
import { contextOf } from '../api/operation.ts'
import { listOwnApplications } from '../applications/applications.ts'
import type { AppEnv } from '../context.ts'
import { getMonthlyActiveUsersRoute } from '../reports/active-users/routes.ts'
import { homeOf } from './address.ts'
import { Bar } from './application-frame.tsx'
import { besideFigures } from './application-request.ts'
import { Pages } from './components/pages.tsx'
import { type Attempt, attempt, ProblemNote } from './components/problem.tsx'
import { Sparkline } from './components/sparkline.tsx'
import { Change } from './components/stat-tiles.tsx'
import { counted, toCount } from './format.ts'
import { NEW_APPLICATION } from './new-application.tsx'
import { answerPage } from './page.tsx'
import type { Visitor } from './visitor.ts'

type Application = Awaited<ReturnType<typeof listOwnApplications>>[number]

/** Applications on a page of the list. */
const LIMIT = 20
/** A line of 30 days, and the day that the last of them is compared with. */
const DAYS = 31

export const applicationsPage: Handler<AppEnv> = async (c) => {
  const url = new URL(c.req.url)
  const visitor = c.get('visitor')
  const all = await listOwnApplications(c.get('db'), visitor)
  const search = url.searchParams.get('search')?.trim().toLowerCase() ?? ''
  const found = all.filter(({ name, handle }) => `${name} @${handle}`.toLowerCase().includes(search))
  const offset = Math.max(0, Number.parseInt(url.searchParams.get('offset') ?? '0', 10) || 0)
  const page = found.slice(offset, offset + LIMIT)
  const figures = await Promise.all(page.map((application) => monthlyUsersOf(c, application)))
  const content = (
    <>
      <div class="heading">
        <h1>Applications</h1>
        {visitor.canChange && (
          <a class="button" href={NEW_APPLICATION}>
            Register one
          </a>
        )}
      </div>
      {all.length > LIMIT && <Search search={search} />}
      {all.length === 0 && <NoApplication visitor={visitor} />}
      {all.length > 0 && found.length === 0 && <p class="nothing">No application has this in its name or handle.</p>}
      {page.length > 0 && (
        <ul class="applications">
          {page.map((application, place) => (
            <li>
              <Entry application={application} users={figures[place] as Attempt<readonly number[]>} />
            </li>
          ))}
        </ul>
      )}
      <Pages
        view={{ path: url.pathname, params: url.searchParams }}
        offset={offset}
        limit={LIMIT}
        total={found.length}
        shown={page.length}
      />
    </>
  )
  return answerPage(c, { title: 'Applications', bar: <Bar visitor={visitor} />, content })
}

/** Monthly active users day by day, oldest first. */
function monthlyUsersOf(c: Context<AppEnv>, { handle }: Application): Promise<Attempt<readonly number[]>> {
  const asked = { path: { handle }, query: { days: String(DAYS) } }
  const quiet = besideFigures(contextOf(c))
  return attempt(getMonthlyActiveUsersRoute.ask(asked, quiet).then(({ timeseries_data: days }) => Object.values(days)))
}

function Search({ search }: { search: string }) {
  return (
    <search>
      <form method="get" class="row">
        <label>
          Name or handle
          <input name="search" type="search" value={search} />
        </label>
        <button type="submit" class="quiet">
          Find
        </button>
      </form>
    </search>
  )
}

function NoApplication({ visitor }: { visitor: Visitor }) {
  return (
    <section class="card">
      <h2>No application yet</h2>
      {visitor.canChange ? (
        <p>
          <a href={NEW_APPLICATION}>Register your mini-app or bot</a>: its name, its handle in the messenger, and a
          link. Then make a key for it, and its figures appear here.
        </p>
      ) : (
        <p>Whoever owns this account registers one; its figures appear here.</p>
      )}
    </section>
  )
}

function Entry({
  application: { handle, name },
  users,
}: {
  application: Application
  users: Attempt<readonly number[]>
}) {
  return (
    <a class="card application-entry" href={homeOf({ handle })}>
      <span class="names">
        <strong>
          <bdi title={name}>{name}</bdi>
        </strong>
        <span class="hint">@{handle}</span>
      </span>
      {users.problem ? <ProblemNote problem={users.problem} /> : <Users users={users.data} />}
    </a>
  )
}

function Users({ users }: { users: readonly number[] }) {
  const [before = 0, now = 0] = [users[0], users.at(-1)]
  const change = before === 0 ? (now === 0 ? null : 100) : Math.round((now / before - 1) * 100)
  return (
    <>
      <span class="figure">
        <strong>{toCount(now)}</strong>
        <span class="hint">monthly active users</span>
        <Change change={change} before="30 days ago" isNew={before === 0 && now > 0} />
      </span>
      <Sparkline
        data={users.slice(1)}
        label={`Monthly active users of the last 30 days: from ${counted(users[1] ?? 0, 'user')} to ${counted(now, 'user')}`}
      />
    </>
  )
}
