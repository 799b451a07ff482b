import type { MiddlewareHandler } from 'hono'
import type { AppEnv, RequestContext } from '../../../http/context.ts'
import { findUsersRoute } from '../../../questions/user-cohorts/routes.ts'
import { offeredNames } from '../../faces/events/offered.ts'
import { offeredPeriod, UserControls } from '../../faces/users/controls.tsx'
import { USER_FILTERS } from '../../faces/users/face.ts'
import { UserTable } from '../../faces/users/table.tsx'
import { meantValues } from '../../faces/values/offered.ts'
import { FirstSteps } from '../../figures/empty.tsx'
import { Pagination } from '../../figures/pagination.tsx'
import { plainPage } from '../../frame/application-page.tsx'
import { hrefTo, hrefWith, type View } from '../../request/address.ts'
import { type AnswerTo, type ApplicationRequest, besideFigures } from '../../request/application-request.ts'
import type { PageContent } from '../../request/page-content.ts'
import { attempt, ProblemNote } from '../../request/problem.tsx'
import { counted } from '../../words/format.ts'
import { canBeSaved, isNarrowed, LIMIT, type Listed, listedOn, questionOf, sortingOf } from './question.ts'
import { SaveAsCohort } from './saving.tsx'

export const usersPage = plainPage(makePage)

async function makePage(request: ApplicationRequest): Promise<PageContent | Response> {
  const { view, application, home, context, c } = request
  const better = await withMeantValues(view, context)
  if (better !== null) return c.redirect(better)
  const listed = listedOn(view)
  const [{ data: answer, problem }, { names }] = await Promise.all([
    attempt(findUsersRoute.ask({ query: questionOf(view, listed) }, context)),
    offeredNames({ view, context: besideFigures(context) }),
  ])
  if (answer?.users === 0 && listed.definition === null && !isNarrowed(view)) {
    return { title: 'Users', content: <FirstSteps application={application} /> }
  }
  const [only] = answer?.users === 1 ? answer.data : []
  if (only && view.params.get('search') === String(only.telegram_id)) {
    return c.redirect(hrefTo(view, `${home}/users/${only.telegram_id}`))
  }
  return {
    title: 'Users',
    status: problem?.status,
    content: (
      <>
        <UserControls view={view} home={home} sorting={sortingOf(view)} names={names} />
        {problem && <ProblemNote problem={problem} />}
        {answer && <UserList request={request} answer={answer} listed={listed} />}
      </>
    ),
  }
}

interface ListShown {
  readonly request: ApplicationRequest
  readonly answer: AnswerTo<typeof findUsersRoute>
  readonly listed: Listed
}

function UserList({ request, answer, listed }: ListShown) {
  const { definition, words } = listed
  const { view, home, clock, visitor } = request
  const { users: total, data: users, offset } = answer
  const isSaved = visitor.canChange && total > 0 && canBeSaved(view, listed)
  return (
    <section class="card">
      <div class="heading">
        <h2>
          <bdi>{[counted(total, 'user'), ...words].join(' · ')}</bdi>
        </h2>
        {isSaved && definition !== null && <SaveAsCohort home={home} words={words} definition={definition} />}
        {definition !== null && <a href={hrefTo(view, view.path)}>All users</a>}
      </div>
      {users.length === 0 ? (
        <Nothing view={view} offset={offset} isWhole={definition !== null && !isNarrowed(view)} />
      ) : (
        <UserTable users={users} view={view} sorting={sortingOf(view)} home={home} clock={clock} />
      )}
      <Pagination view={view} offset={offset} limit={LIMIT} total={total} shown={users.length} />
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

/** Addresses from before there was a search had the id in a field of its own. */
export const openTypedUser: MiddlewareHandler<AppEnv> = async (c, next) => {
  const { pathname: path, searchParams: params } = new URL(c.req.url)
  const typed = params.get('telegram_id')?.trim()
  if (!typed) return next()
  params.delete('telegram_id')
  const isId = /^\d+$/.test(typed)
  return c.redirect(
    isId ? hrefWith({ path: `${path}/${typed}`, params }, {}) : hrefWith({ path, params }, { search: typed }),
  )
}

interface NothingShown {
  readonly view: View
  readonly offset: number
  /** Whether nothing but the definition leaves users out. */
  readonly isWhole: boolean
}

function Nothing({ view, offset, isWhole }: NothingShown) {
  if (offset > 0) return <p class="nothing">There are no users on this page.</p>
  if (isWhole) {
    const isFigure = view.params.has('question')
    return <p class="nothing">{isFigure ? 'This figure counts no users.' : 'Nobody did this.'}</p>
  }
  const none = Object.fromEntries(['search', ...USER_FILTERS].map((name) => [name, null]))
  return (
    <p class="nothing">
      {view.params.has('search')
        ? 'No users match. Search by the whole id, or by part of a name or @username.'
        : 'No users match these filters.'}{' '}
      <a href={hrefWith(view, none)}>Show all users</a>
    </p>
  )
}
