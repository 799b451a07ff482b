import type { Context, Handler } from 'hono'
import { findByHandle, listOwnApplications } from '../../../accounts/applications/applications.ts'
import { calendarOf } from '../../../base/time/calendar.ts'
import type { AppEnv } from '../../../http/context.ts'
import { getMonthlyActiveUsersRoute } from '../../../questions/active-users/routes.ts'
import { findEarlierData } from '../../figures/comparison.ts'
import { Pagination } from '../../figures/pagination.tsx'
import { Spark } from '../../figures/spark.tsx'
import { Change } from '../../figures/stat-tiles.tsx'
import { FoundList } from '../../forms/search.tsx'
import { answerPage } from '../../frame/page.tsx'
import { homeOf } from '../../request/address.ts'
import { besideFigures, contextAbout } from '../../request/application-request.ts'
import { NEW_APPLICATION } from '../../request/next-page.ts'
import { type Attempt, attempt, ProblemNote } from '../../request/problem.tsx'
import type { Visitor } from '../../request/visitor.ts'
import { counted, toCount } from '../../words/format.ts'

type Application = Awaited<ReturnType<typeof listOwnApplications>>[number]

const LIMIT = 20
/** A line of 30 days, and the day that the last of them is compared with. */
const DAYS = 31

/** Leads to the only application, unless its address asks for the list. */
export const applicationsPage: Handler<AppEnv> = async (c) => {
  const url = new URL(c.req.url)
  const visitor = c.get('visitor')
  const all = await listOwnApplications(c.get('db'), visitor)
  const [only] = all
  if (only && all.length === 1 && url.search === '') return c.redirect(homeOf(only))
  const search = url.searchParams.get('search')?.trim().toLowerCase() ?? ''
  const found = findIn(all, search)
  const offset = Math.max(0, Number.parseInt(url.searchParams.get('offset') ?? '0', 10) || 0)
  const page = found.slice(offset, offset + LIMIT)
  const figures = await Promise.all(page.map((application) => monthlyUsersOf(c, application)))
  const content = (
    <>
      <div class="heading">
        <h1>Applications</h1>
        {visitor.canChange && (
          <a class="button" href={NEW_APPLICATION}>
            New app
          </a>
        )}
      </div>
      {all.length > LIMIT && <Search search={search} />}
      {all.length === 0 && <NoApplication visitor={visitor} />}
      {all.length > 0 && found.length === 0 && (
        <p class="nothing">
          No application matches this search. Check the spelling, or clear the search to see all of them.
        </p>
      )}
      {page.length > 0 && (
        <ul class="applications">
          {page.map((application, place) => (
            <li>
              <Entry application={application} figures={figures[place] as Attempt<MonthlyUsers>} />
            </li>
          ))}
        </ul>
      )}
      <Pagination
        view={{ path: url.pathname, params: url.searchParams }}
        offset={offset}
        limit={LIMIT}
        total={found.length}
        shown={page.length}
      />
    </>
  )
  return answerPage(c, { title: 'Applications', visitor, content })
}

/** The applications that the switcher lists for what is typed into it. */
export const applicationList: Handler<AppEnv> = async (c) => {
  const all = await listOwnApplications(c.get('db'), c.get('visitor'))
  const found = findIn(all, c.req.query('search')?.trim().toLowerCase() ?? '').slice(0, LIMIT)
  const links = found.map((own) => ({ href: homeOf(own), label: own.name, kind: `@${own.handle}` }))
  return c.html(<FoundList found={links} none="No application matches." />)
}

function findIn(all: readonly Application[], search: string): readonly Application[] {
  return all.filter(({ name, handle }) => `${name} @${handle}`.toLowerCase().includes(search))
}

interface MonthlyUsers {
  readonly users: readonly number[]
  /** Whether there were events before the month that the oldest one is of. */
  readonly isComparable: boolean
}

function monthlyUsersOf(c: Context<AppEnv>, { handle }: Application): Promise<Attempt<MonthlyUsers>> {
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

function Search({ search }: { search: string }) {
  return (
    <search>
      <form method="get" class="row">
        <label>
          Name or handle
          <input name="search" type="search" value={search} />
        </label>
        <button type="submit" class="quiet">
          Search
        </button>
      </form>
    </search>
  )
}

export function NoApplication({ visitor }: { visitor: Visitor }) {
  return (
    <section class="card">
      <h2>No application yet</h2>
      {visitor.canChange ? (
        <p>
          <a href={NEW_APPLICATION}>Add your mini-app or bot</a> with its name, its Telegram handle and a link. Then
          create an API key for it, and its figures appear here.
        </p>
      ) : (
        <p>Ask an owner of this account to add one. Its figures then appear here.</p>
      )}
    </section>
  )
}

function Entry({ application, figures }: { application: Application; figures: Attempt<MonthlyUsers> }) {
  const { handle, name } = application
  return (
    <a class="card application-entry" href={homeOf({ handle })}>
      <span class="names">
        <strong>
          <bdi title={name}>{name}</bdi>
        </strong>
        <span class="hint">@{handle}</span>
      </span>
      {figures.problem ? <ProblemNote problem={figures.problem} /> : <Users {...figures.data} />}
    </a>
  )
}

function Users({ users, isComparable }: MonthlyUsers) {
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
