import type { MiddlewareHandler } from 'hono'
import type { AppEnv } from '../context.ts'
import type { QueryParams } from '../http/params.ts'
import { listUsersRoute } from '../reports/users/routes.ts'
import { hrefWith } from './address.ts'
import { plainPage } from './application-page.tsx'
import { FirstSteps } from './components/first-steps.tsx'
import { Pages } from './components/pages.tsx'
import { attempt, ProblemNote } from './components/problem.tsx'
import { USER_FILTERS, UserControls } from './users-controls.tsx'
import { UserTable } from './users-table.tsx'
import type { View } from './view.ts'
import { ownQuery } from './view-query.ts'

/** Users on a page of the list. */
const LIMIT = 50

/** Users of all time; the period and filters of the other pages are about events. */
export const usersPage = plainPage(async ({ view, application, home, context, c }) => {
  const users = await attempt(listUsersRoute.ask({ query: questionOf(view) }, context))
  const shared = { title: 'Users' }
  const sorting = sortingOf(view)
  const wrongId = view.params.get('telegram_id')
  const controls = <UserControls view={view} home={home} sorting={sorting} wrongId={wrongId} />
  if (users.problem) {
    const content = (
      <>
        {controls}
        <ProblemNote problem={users.problem} />
      </>
    )
    return { ...shared, status: users.problem.status, content }
  }
  const { offset, data: found } = users.data
  if (found.length === 0 && offset === 0 && !isFiltered(view)) {
    return { ...shared, content: <FirstSteps application={application} /> }
  }
  const data = found.slice(0, LIMIT)
  return {
    ...shared,
    status: wrongId === null ? 200 : 422,
    content: (
      <>
        {controls}
        <section class="card">
          <h2>Users of all time</h2>
          {data.length === 0 ? (
            <Nothing view={view} offset={offset} />
          ) : (
            <UserTable users={data} view={view} sorting={sorting} home={home} now={c.get('now')} />
          )}
          <Pages
            view={view}
            offset={offset}
            limit={LIMIT}
            // Nobody counts them all: one more than is shown tells whether there is another page.
            total={found.length > LIMIT ? null : offset + found.length}
            shown={data.length}
          />
        </section>
      </>
    ),
  }
})

/** Whoever typed a user's id is led to that user. */
export const openTypedUser: MiddlewareHandler<AppEnv> = async (c, next) => {
  const url = new URL(c.req.url)
  const id = url.searchParams.get('telegram_id')?.trim() ?? ''
  if (!/^\d+$/.test(id)) return next()
  url.searchParams.delete('telegram_id')
  return c.redirect(hrefWith({ path: `${url.pathname}/${id}`, params: url.searchParams }, {}))
}

function questionOf(view: View): QueryParams {
  return { ...ownQuery(view, [...USER_FILTERS, 'offset']), ...sortingOf(view), limit: String(LIMIT + 1) }
}

function isFiltered({ params }: View): boolean {
  return USER_FILTERS.some((name) => params.has(name))
}

/** The most active ones first, as long as nobody asks for another order. */
function sortingOf({ params }: View) {
  return { sort_by: params.get('sort_by') ?? 'total_events', sort_order: params.get('sort_order') ?? 'desc' }
}

function Nothing({ view, offset }: { view: View; offset: number }) {
  if (offset > 0) return <p class="nothing">The list ends before this page.</p>
  const none = Object.fromEntries(USER_FILTERS.map((name) => [name, null]))
  return (
    <p class="nothing">
      No user passes these filters. <a href={hrefWith(view, none)}>Show all users</a>
    </p>
  )
}
