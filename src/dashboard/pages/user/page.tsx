import type { Child } from 'hono/jsx'
import type { OwnApplication } from '../../../accounts/applications/applications.ts'
import { calendarOf } from '../../../base/time/calendar.ts'
import { toDate } from '../../../base/time/days.ts'
import type { RequestContext } from '../../../http/context.ts'
import { eraseUserRoute } from '../../../lifecycle/erasure/routes.ts'
import { askAbout } from '../../../questions/ask.ts'
import { toReading } from '../../../questions/reading.ts'
import { userRevenueReport } from '../../../questions/revenue/user-revenue.ts'
import { readRevenueRules } from '../../../questions/revenue-rules/rules.ts'
import { listUserEventsRoute } from '../../../questions/user-events/routes.ts'
import { getUserRoute } from '../../../questions/users/routes.ts'
import { readWallet } from '../../../questions/users/users.ts'
import { hrefTo, hrefWith, ownQuery, type View } from '../../address.ts'
import { type PageContent, plainPage } from '../../application-page.tsx'
import { type AnswerTo, type ApplicationRequest, besideFigures } from '../../application-request.ts'
import { type RefusedConfirmation, requireConfirmation, TypedConfirmation } from '../../components/confirmation.tsx'
import { type Attempt, attempt, ifKnown, ProblemNote } from '../../components/problem.tsx'
import { type Clock, counted, toDay } from '../../format.ts'
import { type FormFields, readFields, tryForm } from '../../forms.ts'
import { nameOf } from '../users/people.ts'
import { UserProperties } from './properties.tsx'
import { findUserReferrals, UserReferrals } from './referrals.tsx'
import { UserTimeline } from './timeline.tsx'

const LIMIT = 50

export const userPage = plainPage((request) => userContent(request))

const NOT_REFUSED = { typed: null, problem: null }

/** Everything known about a user; if an attempt to erase them was refused, with its faults. */
async function userContent(
  request: ApplicationRequest,
  refused: RefusedConfirmation = NOT_REFUSED,
): Promise<PageContent> {
  const { c, view, clock, home, visitor, application } = request
  const list = `${home}/users`
  const id = c.req.param('telegram_id') ?? ''
  const found = isUserId(id) ? await lookUpUser(request, id) : null
  const wayBack = <a href={hrefTo(view, list)}>All users</a>
  if (found === null) {
    return { title: 'User not found', status: 404, content: <Unknown id={id} wayBack={wayBack} /> }
  }
  const { user, wallet, paid, referrals, events } = found
  return {
    title: nameOf(user),
    hasHeading: true,
    status: refused.problem ? 422 : events.problem?.status,
    content: (
      <>
        <p>{wayBack}</p>
        <section class="card">
          <h2>
            <bdi>{nameOf(user)}</bdi>
          </h2>
          <UserProperties user={user} wallet={wallet} paid={paid} view={view} list={list} clock={clock} />
        </section>
        <UserReferrals {...referrals} view={view} list={list} clock={clock} />
        <section class="card">
          <h2>Activity</h2>
          <p class="hint">Newest first.</p>
          <Events events={events} view={view} gone={goneOf(user, application)} clock={clock} />
        </section>
        {visitor.canChange && (
          <Erasure href={hrefTo(view, `${list}/${id}/erase`)} id={String(user.telegram_id)} {...refused} />
        )}
      </>
    ),
  }
}

function isUserId(text: string): boolean {
  return /^[1-9]\d*$/.test(text) && Number.isSafeInteger(Number(text))
}

/** Null for an unknown user. */
async function lookUpUser(request: ApplicationRequest, id: string) {
  const { view, context, application } = request
  const path = { telegram_id: id }
  const query = { ...ownQuery(view, ['before']), limit: String(LIMIT) }
  const asked = { applicationId: application.id, telegramId: Number(id) }
  const [user, wallet, paid, referrals, events] = await Promise.all([
    ifKnown(getUserRoute.ask({ path }, context)),
    readWallet(asked, toReading(context)),
    attempt(askForPaid(application, asked.telegramId, context)),
    findUserReferrals(request, id),
    attempt(ifKnown(listUserEventsRoute.ask({ path, query }, context))),
  ])
  return user && { user: user.data, wallet, paid: paid.data ?? [], referrals, events }
}

/** What a user has paid, by currency. */
async function askForPaid(application: OwnApplication, telegramId: number, context: RequestContext) {
  const { rules } = await readRevenueRules(context.db, application.id)
  return (await askAbout(application, userRevenueReport, { rules, telegramId }, besideFigures(context))).data
}

type UserEvents = AnswerTo<typeof listUserEventsRoute>

/** The user's first event may be older than those kept. */
function goneOf({ first_active_at: first }: { readonly first_active_at: string }, application: OwnApplication) {
  const { keptFrom, timeZone } = application
  if (keptFrom === null || calendarOf(timeZone).dayOf(Date.parse(first)) >= keptFrom) return null
  return `Events before ${toDay(toDate(keptFrom))} have been deleted.`
}

interface EventsShown {
  /** Null for some seconds after the first event. */
  readonly events: Attempt<UserEvents | null>
  readonly view: View
  /** Says that events were deleted; null if none were. */
  readonly gone: string | null
  readonly clock: Clock
}

function Events({ events, view, gone, clock }: EventsShown) {
  if (events.problem) return <ProblemNote problem={events.problem} />
  if (events.data === null) return <p class="nothing">Events arrive within seconds. Reload this page.</p>
  const { data, next } = events.data
  const isFirst = !view.params.has('before')
  return (
    <>
      {data.length === 0 ? (
        <p class="nothing">{gone ?? 'No earlier events.'}</p>
      ) : (
        <UserTimeline events={data} isFirst={isFirst} isLast={next === null} clock={clock} />
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
          ? 'Nothing is stored about this id: no event has arrived, or the user was erased. A new user appears here within seconds of their first event.'
          : 'A user id is a number, such as 7234567890.'}
      </p>
      <p>{wayBack}</p>
    </section>
  )
}

function Erasure({ href, id, ...refused }: RefusedConfirmation & { href: string; id: string }) {
  return (
    <section class="card">
      <h2>Erase this user</h2>
      <p class="hint">
        This permanently deletes their events, sessions, names and properties. Past figures change accordingly.
      </p>
      <TypedConfirmation action="Erase" name={id} href={href} {...refused} inputmode="numeric">
        <label class="box">
          <input type="checkbox" name="block" value="true" checked={refused.typed?.text('block') === 'true'} />
          <span>
            Also block future events <span class="hint">Otherwise their next event creates a new user.</span>
          </span>
        </label>
      </TypedConfirmation>
    </section>
  )
}

export const eraseOnPage = plainPage(async (request) => {
  const { c, view, home } = request
  const typed = await readFields(c)
  const id = c.req.param('telegram_id') ?? ''
  const { data: answer, problem } = await tryForm(eraseIfConfirmed(request, id, typed))
  if (problem) return userContent(request, { typed, problem })
  const { events, blocked } = answer.data
  return {
    title: 'Erased',
    content: (
      <section class="card">
        <h2>
          User <bdi>{id}</bdi> erased
        </h2>
        <p role="status">
          {`${counted(events, 'event')} and all other data about this user are being deleted. Figures are correct again within a minute.`}
          {blocked && ' Future events of this user are blocked.'}
        </p>
        <p>
          <a href={hrefTo(view, `${home}/users`)}>All users</a>
        </p>
      </section>
    ),
  }
})

async function eraseIfConfirmed({ context }: ApplicationRequest, id: string, typed: FormFields) {
  requireConfirmation(typed.trimmed('confirm') === id, 'user id')
  const query = typed.text('block') === 'true' ? { block: 'true' } : {}
  return eraseUserRoute.ask({ path: { telegram_id: id }, query }, context)
}
