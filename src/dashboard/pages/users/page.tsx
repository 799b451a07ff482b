import type { MiddlewareHandler } from 'hono'
import type { AppEnv, RequestContext } from '../../../http/context.ts'
import type { QueryParams } from '../../../http/params.ts'
import { listUsersRoute } from '../../../questions/users/routes.ts'
import { hrefWith, ownQuery, type View } from '../../address.ts'
import { plainPage } from '../../application-page.tsx'
import { FirstSteps } from '../../components/empty.tsx'
import { Pagination } from '../../components/pagination.tsx'
import { attempt, ProblemNote } from '../../components/problem.tsx'
import { meantValues } from '../../property-values.ts'
import { offeredPeriod, USER_FILTERS, UserControls } from './controls.tsx'
import { figureUsers } from './figure.tsx'
import { UserTable } from './table.tsx'

const LIMIT = 50

export const usersPage = plainPage(async (request) => {
  const { view, clock, application, home, context, c } = request
  if (view.params.has('question')) return figureUsers(request, sortingOf(view))
  const better = await withMeantValues(view, context)
  if (better !== null) return c.redirect(better)
  const { data: answer, problem } = await attempt(listUsersRoute.ask({ query: questionOf(view) }, context))
  if (answer?.data.length === 0 && answer.offset === 0 && !isFiltered(view)) {
    return { title: 'Users', content: <FirstSteps application={application} /> }
  }
  const sorting = sortingOf(view)
  const wrongId = view.params.get('telegram_id')
  return {
    title: 'Users',
    status: problem?.status ?? (wrongId === null ? 200 : 422),
    content: (
      <>
        <UserControls view={view} home={home} sorting={sorting} wrongId={wrongId} />
        {problem && <ProblemNote problem={problem} />}
        {answer && <UserList {...answer} view={view} home={home} sorting={sorting} clock={clock} />}
      </>
    ),
  }
})

interface ListShown extends Omit<Parameters<typeof UserTable>[0], 'users'> {
  readonly data: Parameters<typeof UserTable>[0]['users']
  readonly offset: number
}

function UserList({ data: found, offset, view, ...shown }: ListShown) {
  const users = found.slice(0, LIMIT)
  return (
    <section class="card">
      <h2>All users</h2>
      {users.length === 0 ? (
        <Nothing view={view} offset={offset} />
      ) : (
        <UserTable users={users} view={view} {...shown} />
      )}
      <Pagination
        view={view}
        offset={offset}
        limit={LIMIT}
        // The operation does not count all users.
        total={found.length > LIMIT ? null : offset + found.length}
        shown={users.length}
      />
    </section>
  )
}

/** The address with stored values instead of their labels; null if it has no labels. */
async function withMeantValues(view: View, context: RequestContext): Promise<string | null> {
  const given = USER_FILTERS.filter((name) => view.params.getAll(name).length === 1)
  const meant = await Promise.all(
    given.map(async (name) => {
      const typed = view.params.getAll(name)
      const [value] = await meantValues(typed, { property: name, period: offeredPeriod(view), context })
      return value === undefined || typed.includes(value) ? [] : [[name, value] as const]
    }),
  )
  const changes = meant.flat()
  return changes.length === 0 ? null : hrefWith(view, Object.fromEntries(changes))
}

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

function sortingOf({ params }: View) {
  return { sort_by: params.get('sort_by') ?? 'total_events', sort_order: params.get('sort_order') ?? 'desc' }
}

function Nothing({ view, offset }: { view: View; offset: number }) {
  if (offset > 0) return <p class="nothing">There are no users on this page.</p>
  const none = Object.fromEntries(USER_FILTERS.map((name) => [name, null]))
  return (
    <p class="nothing">
      No users match these filters. <a href={hrefWith(view, none)}>Show all users</a>
    </p>
  )
}
