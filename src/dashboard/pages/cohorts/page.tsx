import type { Handler } from 'hono'
import { COHORT } from '../../../columns/selection/filter.ts'
import type { AppEnv } from '../../../http/context.ts'
import {
  deleteCohortRoute,
  exportCohortIdsRoute,
  getCohortRoute,
  listCohortsRoute,
  listCohortUsersRoute,
  putCohortRoute,
} from '../../../questions/user-cohorts/routes.ts'
import { offeredNames, offeredParams } from '../../faces/events/offered.ts'
import { UserTable } from '../../faces/users/table.tsx'
import { meantFilter } from '../../faces/values/offered.ts'
import { asFile } from '../../figures/download.ts'
import { Pagination } from '../../figures/pagination.tsx'
import type { FormFields } from '../../forms/fields-of-form.ts'
import { type Body, besideFields, withRows } from '../../forms/form-of.ts'
import type { Again } from '../../forms/sent-form.ts'
import type { FormPage } from '../../frame/form-page.ts'
import { homeOf, hrefTo, hrefWith, ownQuery, periodQuery, type ShownFilter, type View } from '../../request/address.ts'
import {
  type AnswerTo,
  type ApplicationRequest,
  besideFigures,
  contextAbout,
  findApplication,
} from '../../request/application-request.ts'
import { type Attempt, attempt, ProblemNote } from '../../request/problem.tsx'
import { toCount } from '../../words/format.ts'
import { cohortForm, NEW_COHORT, NEW_CONDITION } from './cohort-form.ts'
import { CohortForm } from './form.tsx'
import { readUpload, UploadForm } from './upload.tsx'

const USERS_ON_A_PAGE = 50
const MOST_EVENTS = { sort_by: 'total_events', sort_order: 'desc' }

/** The cohorts of an application, and one of them with its users. */
export const cohortsPage: FormPage = {
  page: 'cohorts',
  content: cohortsContent,
  forms: {
    cohorts: async (request, typed, showAgain) => {
      if (changedRows(typed)) return showAgain()
      const body = cohortForm.read(typed)
      await store(request, body)
      return request.c.redirect(hrefOfCohort(request, nameIn(body)), 303)
    },
    'cohorts/list': async ({ c, home, context }) => {
      const { name, text } = await readUpload(c)
      await putCohortRoute.ask({ path: { name }, csv: text }, context)
      return c.redirect(hrefOfCohort({ home }, name), 303)
    },
    'cohorts/delete': async ({ context }, typed) => {
      await deleteCohortRoute.ask({ path: { name: typed.text('name') } }, context)
    },
  },
  showsFailures: true,
}

/** The form after a button that only changes it; null after any other. */
function changedRows(typed: FormFields): Body | null {
  const [body, action] = [cohortForm.read(typed), typed.text('action')]
  return action === 'edit' ? body : withRows(body, action, NEW_CONDITION)
}

function nameIn({ name }: Body): string {
  return typeof name === 'string' ? name : ''
}

interface SentCondition extends Partial<ShownFilter> {
  readonly filters?: readonly ShownFilter[]
}

/** Stores a cohort. Values may be typed as pages show them. */
async function store({ context, view }: ApplicationRequest, { name, ...body }: Body): Promise<void> {
  const where = { period: periodQuery(view), context }
  const isWhole = (filter: Partial<ShownFilter>): filter is ShownFilter => 'values' in filter && 'prop' in filter
  const meant = <F extends Partial<ShownFilter>>(filter: F) => (isWhole(filter) ? meantFilter(filter, where) : filter)
  const conditions = await Promise.all(
    ((body.conditions ?? []) as readonly SentCondition[]).map(async (condition) => ({
      ...(await meant(condition)),
      ...(condition.filters && { filters: await Promise.all(condition.filters.map(meant)) }),
    })),
  )
  await putCohortRoute.ask({ path: { name: nameIn({ name }) }, body: { ...body, conditions } }, context)
}

/** The users that a cohort lists, as a file. */
export const cohortListCsv: Handler<AppEnv> = async (c) => {
  const application = await findApplication(c)
  const name = c.req.query('name') ?? ''
  const { context } = contextAbout(c, application)
  const { data: list } = await attempt(exportCohortIdsRoute.ask({ path: { name } }, context))
  if (!list) return c.redirect(`${homeOf(application)}/cohorts?${new URLSearchParams({ name })}`)
  const headers = asFile('text/csv; charset=utf-8', { nameParts: [application.handle, name], extension: 'csv' })
  return c.body(await list.text(), 200, headers)
}

function hrefOfCohort({ home }: Pick<ApplicationRequest, 'home'>, name: string): string {
  return `${home}/cohorts?${new URLSearchParams({ name })}`
}

async function cohortsContent(request: ApplicationRequest, again: Again | null) {
  const edited = again?.form === 'cohorts' ? again : null
  const upload = again?.form === 'cohorts/list' ? again : null
  const { view, context, home } = request
  const name = view.params.get('name')
  const about = { view, context: besideFigures(context) }
  const [listed, cohort, users, offered, params] = await Promise.all([
    attempt(listCohortsRoute.ask({}, context)),
    name ? attempt(getCohortRoute.ask({ path: { name } }, context)) : null,
    name ? attempt(listCohortUsersRoute.ask({ path: { name }, query: usersQuery(view) }, context)) : null,
    offeredNames(about),
    offeredParams(view, about.context),
  ])
  const problem = again?.problem ?? cohort?.problem ?? listed.problem
  const stored = cohort?.data?.data
  const typed = edited && (changedRows(edited.typed) ?? cohortForm.read(edited.typed))
  const body = typed ?? (stored ? { name: stored.name, ...stored.definition } : NEW_COHORT)
  const isLong = !edited && stored?.definition.conditions.some((condition) => 'listed' in condition)
  return {
    title: 'Cohorts',
    status: problem?.status,
    content: (
      <>
        {problem && <ProblemNote problem={besideFields(problem, cohortForm)} />}
        <List request={request} cohorts={listed.data?.data ?? []} />
        {cohort?.data && <Counted request={request} cohort={cohort.data} users={users} />}
        {request.visitor.canChange && !isLong && (
          <CohortForm
            home={home}
            of={{ form: cohortForm, body, problem: edited?.problem ?? null }}
            names={offered.names}
            params={params}
          />
        )}
        {request.visitor.canChange && (
          <UploadForm
            home={home}
            name={upload?.typed.trimmed('name') ?? (isListed(stored) ? stored.name : '')}
            problem={upload?.problem ?? null}
          />
        )}
      </>
    ),
  }
}

type StoredCohort = AnswerTo<typeof getCohortRoute>['data']

function isListed(cohort: StoredCohort | undefined): cohort is StoredCohort {
  return cohort?.definition.conditions.some(({ type }) => type === 'users') ?? false
}

function usersQuery(view: View) {
  return { ...MOST_EVENTS, ...ownQuery(view, ['sort_by', 'sort_order', 'offset']), limit: String(USERS_ON_A_PAGE) }
}

interface ListShown {
  readonly request: ApplicationRequest
  readonly cohorts: AnswerTo<typeof listCohortsRoute>['data']
}

function List({ request, cohorts }: ListShown) {
  return (
    <section class="card">
      <h2>All cohorts</h2>
      {cohorts.length === 0 ? (
        <p class="nothing">No cohorts yet. A cohort is a group of users defined by a rule. Save one below.</p>
      ) : (
        <ul class="questions">
          {cohorts.map(({ name }) => (
            <li>
              <a href={hrefOfCohort(request, name)}>
                <bdi>{name}</bdi>
              </a>
              {request.visitor.canChange && (
                <form method="post" action={`${request.home}/cohorts/delete`}>
                  <input type="hidden" name="name" value={name} />
                  <button type="submit" class="danger" aria-label={`Delete ${name}`}>
                    Delete
                  </button>
                </form>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

interface CountedShown {
  readonly request: ApplicationRequest
  readonly cohort: AnswerTo<typeof getCohortRoute>
  readonly users: Attempt<AnswerTo<typeof listCohortUsersRoute>> | null
}

function Counted({ request: { view, home, clock }, cohort: { data }, users }: CountedShown) {
  const { name, users: count } = data
  const filter = JSON.stringify({ prop: COHORT, op: 'is', values: [name] })
  const offset = Number(view.params.get('offset') ?? 0)
  return (
    <section class="card">
      <h2>
        <bdi>{name}</bdi>
      </h2>
      <p>
        <data value={String(count)}>{toCount(count)}</data> {count === 1 ? 'user' : 'users'} now.{' '}
        <a href={hrefTo(view, home, { filters: filter })}>Overview of these users</a>
        {isListed(data) && (
          <>
            {' · '}
            <a href={`${home}/cohorts.csv?${new URLSearchParams({ name })}`} download>
              Download the list (CSV)
            </a>
          </>
        )}
      </p>
      {users?.problem && <ProblemNote problem={users.problem} />}
      {users?.data && users.data.data.length > 0 && (
        <UserTable
          users={users.data.data}
          view={view}
          home={home}
          sorting={{ ...MOST_EVENTS, ...ownQuery(view, ['sort_by', 'sort_order']) }}
          clock={clock}
        />
      )}
      <Pagination
        view={view}
        offset={offset}
        limit={USERS_ON_A_PAGE}
        total={count}
        shown={users?.data?.data.length ?? 0}
      />
      <p class="more">
        <a href={hrefWith({ path: `${home}/cohorts`, params: new URLSearchParams() }, {})}>New cohort</a>
      </p>
    </section>
  )
}
