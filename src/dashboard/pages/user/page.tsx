import type { Child } from 'hono/jsx'
import type { OwnApplication } from '../../../accounts/applications/applications.ts'
import { dayOf, toDate } from '../../../base/time/days.ts'
import { toReading } from '../../../questions/reading.ts'
import { listUserEventsRoute } from '../../../questions/user-events/routes.ts'
import { getUserRoute } from '../../../questions/users/routes.ts'
import { readWallet } from '../../../questions/users/users.ts'
import { hrefTo, hrefWith } from '../../address.ts'
import { type PageContent, plainPage } from '../../application-page.tsx'
import type { ApplicationRequest } from '../../application-request.ts'
import { type Attempt, attempt, ifKnown, ProblemNote } from '../../components/problem.tsx'
import { type RefusedConfirmation, TypedConfirmation } from '../../components/typed-confirmation.tsx'
import { toDay } from '../../format.ts'
import { ownQuery, type View } from '../../view.ts'
import { nameOf } from '../users/people.ts'
import { UserProperties } from './properties.tsx'
import { UserTimeline } from './timeline.tsx'

/** Events on a page of the timeline. */
const LIMIT = 50

/** Everything that is known of one user. */
export const userPage = plainPage((request) => userContent(request))

/** The same where somebody tried to erase the user, with what is wrong about that. */
export async function userContent(
  request: ApplicationRequest,
  refused: RefusedConfirmation | null = null,
): Promise<PageContent> {
  const { c, view, home, visitor, application } = request
  const list = `${home}/users`
  const id = c.req.param('telegram_id') ?? ''
  const found = isUserId(id) ? await lookUpUser(request, id) : null
  const wayBack = <a href={hrefTo(view, list)}>All users</a>
  if (found === null) {
    return { title: 'User not found', status: 404, content: <Unknown id={id} wayBack={wayBack} /> }
  }
  const { user, wallet, events } = found
  const now = c.get('now')
  return {
    title: nameOf(user),
    status: refused ? 422 : events.problem?.status,
    content: (
      <>
        <p>{wayBack}</p>
        <section class="card">
          <h2>
            <bdi>{nameOf(user)}</bdi>
          </h2>
          <UserProperties user={user} wallet={wallet} view={view} list={list} now={now} />
        </section>
        <section class="card">
          <h2>Activity</h2>
          <p class="hint">Newest first; times are UTC.</p>
          <Events events={events} view={view} gone={goneOf(user, application)} now={now} />
        </section>
        {visitor.canChange && <UserErasureForm request={request} id={String(user.telegram_id)} refused={refused} />}
      </>
    ),
  }
}

function isUserId(text: string): boolean {
  return /^[1-9]\d*$/.test(text) && Number.isSafeInteger(Number(text))
}

/** Null where nobody knows the user. */
async function lookUpUser({ view, context, application }: ApplicationRequest, id: string) {
  const path = { telegram_id: id }
  const query = { ...ownQuery(view, ['before']), limit: String(LIMIT) }
  const asked = { applicationId: application.id, telegramId: Number(id) }
  const [user, wallet, events] = await Promise.all([
    ifKnown(getUserRoute.ask({ path }, context)),
    readWallet(asked, toReading(context)),
    attempt(ifKnown(listUserEventsRoute.ask({ path, query }, context))),
  ])
  return user && { user: user.data, wallet, events }
}

type UserEvents = Awaited<ReturnType<typeof listUserEventsRoute.ask>>

/** The user's first event of all may be older than those that are kept. */
function goneOf({ first_active_at: first }: { readonly first_active_at: string }, application: OwnApplication) {
  const { keptFrom } = application
  if (keptFrom === null || dayOf(Date.parse(first)) >= keptFrom) return null
  return `Events before ${toDay(toDate(keptFrom))} have been deleted.`
}

interface EventsShown {
  /** Null right after the first event, for some seconds. */
  readonly events: Attempt<UserEvents | null>
  readonly view: View
  /** What is said of events that are not kept any more; null where all are. */
  readonly gone: string | null
  readonly now: number
}

/** A page of the timeline, and the ways to the one before and to the newest events. */
function Events({ events, view, gone, now }: EventsShown) {
  if (events.problem) return <ProblemNote problem={events.problem} />
  if (events.data === null) return <p class="nothing">Events arrive within seconds. Reload this page.</p>
  const { data, next } = events.data
  const isFirst = !view.params.has('before')
  return (
    <>
      {data.length === 0 ? (
        <p class="nothing">{gone ?? 'No earlier events.'}</p>
      ) : (
        <UserTimeline events={data} isFirst={isFirst} isLast={next === null} now={now} />
      )}
      {next === null && data.length > 0 && gone && <p class="hint">{gone}</p>}
      {!(isFirst && next === null) && (
        <nav class="pages" aria-label="Pages of the timeline">
          {!isFirst && (
            <a class="button quiet" href={hrefWith(view, { before: null })}>
              Newest
            </a>
          )}
          {next !== null && (
            <a class="button quiet" rel="next" href={hrefWith(view, { before: next })}>
              Older
            </a>
          )}
        </nav>
      )}
    </>
  )
}

function Unknown({ id, wayBack }: { id: string; wayBack: Child }) {
  return (
    <section class="card">
      <h2>
        No user <bdi>{id}</bdi>
      </h2>
      <p>
        {isUserId(id)
          ? 'Nobody with this id has used the application yet. A new user appears here within seconds of their first event.'
          : 'A user id is a number, such as 7234567890.'}
      </p>
      <p>{wayBack}</p>
    </section>
  )
}

interface FormShown {
  readonly request: ApplicationRequest
  readonly id: string
  readonly refused: RefusedConfirmation | null
}

/** Erases a user for who types their id. */
function UserErasureForm({ request: { view, home }, id, refused }: FormShown) {
  return (
    <section class="card">
      <h2>Erase this user</h2>
      <p class="hint">
        This permanently deletes their events, sessions, names and properties. Past figures change accordingly.
      </p>
      <TypedConfirmation
        action="Erase"
        name={id}
        href={hrefTo(view, `${home}/users/${id}/erase`)}
        refused={refused}
        inputmode="numeric"
      >
        <label class="box">
          <input type="checkbox" name="block" value="true" checked={refused?.typed.text('block') === 'true'} />
          <span>
            Also block future events <span class="hint">Otherwise their next event creates a new user.</span>
          </span>
        </label>
      </TypedConfirmation>
    </section>
  )
}
