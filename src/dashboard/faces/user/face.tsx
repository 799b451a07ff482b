import type { Child } from 'hono/jsx'
import type { OwnApplication } from '../../../accounts/applications/applications.ts'
import { calendarOf } from '../../../base/time/calendar.ts'
import { toDate } from '../../../base/time/days.ts'
import type { RequestContext } from '../../../http/context.ts'
import { eraseUserRoute } from '../../../lifecycle/erasure/routes.ts'
import { askAbout } from '../../../questions/engine/ask.ts'
import { toReading } from '../../../questions/engine/reading.ts'
import { userRevenueReport } from '../../../questions/revenue/user-revenue.ts'
import { readRevenueRules } from '../../../questions/revenue-rules/rules.ts'
import { listUserDaysRoute } from '../../../questions/user-days/routes.ts'
import { listUserEventsRoute } from '../../../questions/user-events/routes.ts'
import { getUserRoute } from '../../../questions/users/routes.ts'
import { readWallet } from '../../../questions/users/stored-users.ts'
import { type RefusedConfirmation, requireConfirmation, TypedConfirmation } from '../../forms/confirmation.tsx'
import { type FormFields, readFields, tryForm } from '../../forms/fields-of-form.ts'
import { hrefTo, ownQuery, toQuery, type View } from '../../request/address.ts'
import { type AnswerTo, type ApplicationRequest, besideFigures } from '../../request/application-request.ts'
import type { PageContent } from '../../request/page-content.ts'
import { type Attempt, attempt, ifKnown } from '../../request/problem.tsx'
import { counted, toDay } from '../../words/format.ts'
import { type Face, given } from '../face.ts'
import { Avatar } from '../users/avatar.tsx'
import { nameOf } from '../users/people.ts'
import { Premium } from '../users/table.tsx'
import { UserActivity } from './activity.tsx'
import { DayStrip, drawnPeriod } from './days.tsx'
import { Username, UserProperties } from './properties.tsx'
import { findUserReferrals, UserReferrals } from './referrals.tsx'

const LIMIT = 50

const NOT_REFUSED = { typed: null, problem: null }

/** Everything known about a user; if an attempt to erase them was refused, with its faults. */
async function userContent(
  request: ApplicationRequest,
  refused: RefusedConfirmation = NOT_REFUSED,
): Promise<PageContent> {
  const { c, view, home, visitor, application } = request
  const list = `${home}/users`
  const id = c.req.param('telegram_id') ?? ''
  const found = isUserId(id) ? await lookUpUser(request, id) : null
  const wayBack = <a href={hrefTo(view, list)}>All users</a>
  if (found === null) {
    return { title: 'User not found', status: 404, content: <Unknown id={id} wayBack={wayBack} /> }
  }
  const { user, wallet, paid, referrals, events, days } = found
  return {
    title: nameOf(user),
    hasHeading: true,
    status: refused.problem ? 422 : events.problem?.status,
    content: (
      <>
        <p>{wayBack}</p>
        <div class="person">
          <div class="person-side">
            <section class="card">
              <Heading user={user} premium={user.is_premium}>
                {visitor.canChange && (
                  <Erasure href={hrefTo(view, `${list}/${id}/erase`)} id={String(user.telegram_id)} {...refused} />
                )}
              </Heading>
              {days && <DayStrip days={days} />}
              <UserProperties
                user={user}
                wallet={wallet}
                paid={paid}
                sessions={sessionsOf(events, view)}
                {...request}
              />
            </section>
            <UserReferrals {...request} {...referrals} />
          </div>
          <UserActivity events={events} days={days} gone={goneOf(user, application)} {...request} />
        </div>
      </>
    ),
  }
}

interface HeadingShown {
  readonly user: Parameters<typeof nameOf>[0]
  readonly premium: boolean | null
  /** What can be done with the user. */
  readonly children?: Child
}

function Heading({ user, premium, children }: HeadingShown) {
  const { username } = user
  return (
    <div class="who">
      <Avatar user={user} />
      <div>
        <h2>
          <bdi>{nameOf(user)}</bdi>
        </h2>
        {username && <Username username={username} />}
        {premium && <Premium />}
      </div>
      {children}
    </div>
  )
}

function isUserId(text: string): boolean {
  return /^[1-9]\d*$/.test(text) && Number.isSafeInteger(Number(text))
}

/** Null for an unknown user. */
async function lookUpUser(request: ApplicationRequest, id: string) {
  const { view, context, application, clock } = request
  const path = { telegram_id: id }
  const query = { ...ownQuery(view, ['before', 'event']), limit: String(LIMIT) }
  const asked = { applicationId: application.id, telegramId: Number(id) }
  const [user, wallet, paid, referrals, events, days] = await Promise.all([
    ifKnown(getUserRoute.ask({ path }, context)),
    readWallet(asked, toReading(context)),
    attempt(askForPaid(application, asked.telegramId, context)),
    findUserReferrals(request, id),
    attempt(ifKnown(listUserEventsRoute.ask({ path, query }, context))),
    attempt(ifKnown(listUserDaysRoute.ask({ path, query: toQuery(drawnPeriod(clock)) }, context))),
  ])
  return user && { user: user.data, wallet, paid: paid.data ?? [], referrals, events, days: days.data }
}

/** Sessions are numbered from the first: the newest event has the number of all. Null if the page begins with another event. */
function sessionsOf({ data }: Attempt<AnswerTo<typeof listUserEventsRoute> | null>, { params }: View): number | null {
  const isNewest = !params.has('before') && !params.has('event')
  return isNewest ? (data?.data[0]?.session ?? null) : null
}

/** What a user has paid, by currency. */
async function askForPaid(application: OwnApplication, telegramId: number, context: RequestContext) {
  const { rules } = await readRevenueRules(context.db, application.id)
  return (await askAbout(application, userRevenueReport, { rules, telegramId }, besideFigures(context))).data
}

/** The user's first event may be older than those kept. */
function goneOf({ first_active_at: first }: { readonly first_active_at: string }, application: OwnApplication) {
  const { keptFrom, timeZone } = application
  if (keptFrom === null || calendarOf(timeZone).dayOf(Date.parse(first)) >= keptFrom) return null
  return `Events before ${toDay(toDate(keptFrom))} have been deleted.`
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
    <details class="menu actions" open={refused.typed !== null}>
      <summary aria-label="Actions">⋯</summary>
      <div class="panel">
        <p class="hint">
          Erasing permanently deletes a user's events, sessions, names and properties. Past figures change accordingly.
        </p>
        <TypedConfirmation action="Erase" name={id} href={href} {...refused} inputmode="numeric">
          <label class="box">
            <input type="checkbox" name="block" value="true" checked={refused.typed?.text('block') === 'true'} />
            <span>
              Also block future events <span class="hint">Otherwise their next event creates a new user.</span>
            </span>
          </label>
        </TypedConfirmation>
      </div>
    </details>
  )
}

async function eraseOnPage(request: ApplicationRequest): Promise<PageContent> {
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
}

async function eraseIfConfirmed({ context }: ApplicationRequest, id: string, typed: FormFields) {
  requireConfirmation(typed.trimmed('confirm') === id, 'user id')
  const query = typed.text('block') === 'true' ? { block: 'true' } : {}
  return eraseUserRoute.ask({ path: { telegram_id: id }, query }, context)
}

/** The face of what is asked about one user. The list of users leads to it. */
export const userFace: Face = {
  page: 'users/:telegram_id',
  make: (request) => userContent(request),
  kind: 'plain',
  changes: { erase: eraseOnPage },
  answers: {
    getUser: ({ path }) => [`users/${path.telegram_id}`, []],
    listUserEvents: ({ path, query }) => [`users/${path.telegram_id}`, given(query, ['event'])],
    listUserDays: ({ path }) => [`users/${path.telegram_id}`, []],
  },
}
