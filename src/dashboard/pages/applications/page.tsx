import type { Handler } from 'hono'
import { listOwnApplications } from '../../../accounts/applications/applications.ts'
import type { AppEnv } from '../../../http/context.ts'
import { MonthlyUsers, type MonthlyUsersShown, monthlyUsersOf } from '../../faces/activity/monthly-users.tsx'
import { Pagination } from '../../figures/pagination.tsx'
import { FoundList } from '../../forms/search.tsx'
import { answerPage } from '../../frame/page.tsx'
import { homeOf } from '../../request/address.ts'
import { NEW_APPLICATION } from '../../request/next-page.ts'
import { type Attempt, ProblemNote } from '../../request/problem.tsx'
import type { Visitor } from '../../request/visitor.ts'

type Application = Awaited<ReturnType<typeof listOwnApplications>>[number]

const LIMIT = 20

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
  const figures = await Promise.all(page.map((application) => monthlyUsersOf(c, application.handle)))
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
              <Entry application={application} figures={figures[place] as Attempt<MonthlyUsersShown>} />
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

function Entry({ application, figures }: { application: Application; figures: Attempt<MonthlyUsersShown> }) {
  const { handle, name } = application
  return (
    <a class="card application-entry" href={homeOf({ handle })}>
      <span class="names">
        <strong>
          <bdi title={name}>{name}</bdi>
        </strong>
        <span class="hint">@{handle}</span>
      </span>
      {figures.problem ? <ProblemNote problem={figures.problem} /> : <MonthlyUsers {...figures.data} />}
    </a>
  )
}
