import { Invalid } from '../../../base/errors.ts'
import { COHORT } from '../../../columns/selection/filter.ts'
import {
  deleteCohortRoute,
  getCohortRoute,
  listCohortsRoute,
  listCohortUsersRoute,
  putCohortRoute,
} from '../../../questions/user-cohorts/routes.ts'
import { hrefTo, hrefWith, ownQuery, type View } from '../../address.ts'
import { type PageContent, plainPage } from '../../application-page.tsx'
import type { AnswerTo, ApplicationRequest } from '../../application-request.ts'
import { Field, faultsOf, InputField } from '../../components/field.tsx'
import { Pagination } from '../../components/pagination.tsx'
import { type Attempt, attempt, type PageProblem, ProblemNote } from '../../components/problem.tsx'
import { toCount } from '../../format.ts'
import { type FormFields, readFields } from '../../forms.ts'
import { UserTable } from '../users/table.tsx'

const USERS_ON_A_PAGE = 50

const EXAMPLE = {
  match: 'all',
  conditions: [{ type: 'did', event: 'Order paid', times: { op: 'at_least', n: 2 }, within: { days: 30 } }],
}

interface Edited {
  readonly name: string
  readonly definition: string
  readonly problem: PageProblem | null
}

/** The cohorts of an application, and one of them with its users. */
export const cohortsPage = plainPage((request) => cohortsContent(request, null))

export const putCohortOnPage = plainPage(async (request) => {
  const typed = await readFields(request.c)
  const [name, definition] = [typed.trimmed('name'), typed.text('definition')]
  const { problem } = await attempt(store(request, { name, definition }))
  if (problem) return cohortsContent(request, { name, definition, problem })
  return request.c.redirect(hrefOfCohort(request, name), 303)
})

export const deleteCohortOnPage = plainPage(async (request) => {
  const typed: FormFields = await readFields(request.c)
  const { problem } = await attempt(deleteCohortRoute.ask({ path: { name: typed.text('name') } }, request.context))
  if (problem) return cohortsContent(request, { name: '', definition: '', problem })
  return request.c.redirect(`${request.home}/cohorts`, 303)
})

async function store({ context }: ApplicationRequest, { name, definition }: Omit<Edited, 'problem'>) {
  await putCohortRoute.ask({ path: { name }, body: readJson(definition) }, context)
}

/** Throws `Invalid`. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Invalid([{ loc: ['body', 'definition'], msg: 'Input should be valid JSON', type: 'json_invalid' }])
  }
}

function hrefOfCohort({ home }: Pick<ApplicationRequest, 'home'>, name: string): string {
  return `${home}/cohorts?${new URLSearchParams({ name })}`
}

async function cohortsContent(request: ApplicationRequest, edited: Edited | null): Promise<PageContent> {
  const { view, context } = request
  const name = view.params.get('name')
  const [listed, cohort, users] = await Promise.all([
    attempt(listCohortsRoute.ask({}, context)),
    name ? attempt(getCohortRoute.ask({ path: { name } }, context)) : null,
    name ? attempt(listCohortUsersRoute.ask({ path: { name }, query: usersQuery(view) }, context)) : null,
  ])
  const problem = edited?.problem ?? cohort?.problem ?? listed.problem
  return {
    title: 'Cohorts',
    status: problem?.status,
    content: (
      <>
        {problem && <ProblemNote problem={withoutFields(problem)} />}
        <List request={request} cohorts={listed.data?.data ?? []} />
        {cohort?.data && <Counted request={request} cohort={cohort.data} users={users} />}
        {request.visitor.canChange && (
          <Editor
            home={request.home}
            name={edited?.name ?? cohort?.data?.data.name ?? ''}
            definition={edited?.definition ?? JSON.stringify(cohort?.data?.data.definition ?? EXAMPLE, null, 2)}
            problem={edited?.problem ?? null}
          />
        )}
      </>
    ),
  }
}

function usersQuery(view: View) {
  return { sort_by: 'total_events', ...ownQuery(view, ['offset']), limit: String(USERS_ON_A_PAGE) }
}

/** The name has a field of its own. */
function withoutFields(problem: PageProblem): PageProblem {
  return { ...problem, faults: problem.faults.filter(({ loc }) => loc[1] !== 'name') }
}

interface ListShown {
  readonly request: ApplicationRequest
  readonly cohorts: AnswerTo<typeof listCohortsRoute>['data']
}

function List({ request, cohorts }: ListShown) {
  return (
    <section class="card">
      <h2>Cohorts</h2>
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
      </p>
      {users?.problem && <ProblemNote problem={users.problem} />}
      {users?.data && users.data.data.length > 0 && (
        <UserTable
          users={users.data.data}
          view={view}
          home={home}
          sorting={{ sort_by: 'total_events', sort_order: 'desc' }}
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

function Editor({ home, name, definition, problem }: Edited & { readonly home: string }) {
  return (
    <section class="card">
      <h2>Save a cohort</h2>
      <form method="post" action={`${home}/cohorts`} class="fields">
        <InputField label="Name" name="name" value={name} required maxlength={100} problem={problem} />
        <Field
          label="Definition (JSON)"
          id="definition"
          faults={faultsOf(problem, 'definition')}
          hint={
            <>
              <a href="/docs">API reference</a> lists the conditions: did, first_seen, property, revenue, funnel, users.
            </>
          }
        >
          {(attributes) => (
            <textarea name="definition" rows={12} spellcheck={false} {...attributes}>
              {definition}
            </textarea>
          )}
        </Field>
        <button type="submit">Save</button>
      </form>
    </section>
  )
}
