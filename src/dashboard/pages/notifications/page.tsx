import { listSavedQuestions } from '../../../accounts/applications/saved-questions.ts'
import { listMembers } from '../../../accounts/members.ts'
import { daysLater, toIso } from '../../../base/time/days.ts'
import {
  addSubscriptionRoute,
  changeSubscriptionRoute,
  deleteSubscriptionRoute,
  listSubscriptionsRoute,
  rotateSubscriptionSecretRoute,
} from '../../../notifications/routes.ts'
import { hasSeries, isShowable, toSavedAddress } from '../../../notifications/saved-series.ts'
import { readFields } from '../../forms/fields-of-form.ts'
import { type Body, besideFields } from '../../forms/form-of.ts'
import { plainPage } from '../../frame/application-page.tsx'
import type { ApplicationRequest } from '../../request/application-request.ts'
import type { PageContent } from '../../request/page-content.ts'
import { attempt, ifKnown, type PageProblem, ProblemNote } from '../../request/problem.tsx'
import { AlertForm, DigestForm, isAlert, subscriptionForm } from './forms.tsx'
import { SubscriptionList } from './list.tsx'

/** What became of a form. */
interface Sent {
  /** Null for a form that nothing is typed into. */
  readonly typed: Body | null
  readonly problem: PageProblem | null
  /** The new secret of a webhook, shown only here. */
  readonly secret: string | null
}

/** The digests and alerts of an application. */
export const notificationsPage = plainPage((request) => notificationsContent(request, null))

export const addSubscriptionOnPage = plainPage(async (request) => {
  const typed = subscriptionForm.read(await readFields(request.c))
  const { data, problem } = await attempt(addSubscriptionRoute.ask({ body: typed }, request.context))
  const secret = data?.data.secret ?? null
  return problem || secret ? notificationsContent(request, { typed, problem, secret }) : back(request)
})

const SNOOZED_DAYS = 1

export const changeSubscriptionOnPage = plainPage(async (request) => {
  const { text } = await readFields(request.c)
  const until = toIso(daysLater(request.clock.now, SNOOZED_DAYS))
  const bodies: Readonly<Record<string, object>> = {
    on: { is_on: true },
    off: { is_on: false },
    snooze: { snoozed_until: until },
    wake: { snoozed_until: null },
    send: { next_at: toIso(request.clock.now) },
  }
  const body = bodies[text('action')] ?? {}
  await ifKnown(changeSubscriptionRoute.ask({ path: { id: idOf(request) }, body }, request.context))
  return back(request)
})

export const deleteSubscriptionOnPage = plainPage(async (request) => {
  await ifKnown(deleteSubscriptionRoute.ask({ path: { id: idOf(request) } }, request.context))
  return back(request)
})

export const rotateSecretOnPage = plainPage(async (request) => {
  const asked = rotateSubscriptionSecretRoute.ask({ path: { id: idOf(request) } }, request.context)
  const { data, problem } = await attempt(asked)
  return notificationsContent(request, { typed: null, problem, secret: data?.data.secret ?? null })
})

function idOf({ c }: ApplicationRequest): string {
  return c.req.param('id') ?? ''
}

function back({ c, home }: ApplicationRequest): Response {
  return c.redirect(`${home}/notifications`, 303)
}

async function notificationsContent(request: ApplicationRequest, sent: Sent | null): Promise<PageContent> {
  const { c, application, visitor, context, home } = request
  const [listed, saved, members] = await Promise.all([
    listSubscriptionsRoute.ask({}, context),
    listSavedQuestions(c.get('db'), application.id),
    listMembers(c.get('db'), visitor.accountId),
  ])
  const namesOf = (isFor: typeof hasSeries) =>
    saved.filter(({ address }) => isFor(toSavedAddress(address))).map(({ name }) => name)
  const problem = sent?.problem ?? null
  const wasAlert = sent?.typed ? isAlert(sent.typed) : false
  const shared = (isIt: boolean) => ({
    action: `${home}/notifications`,
    members,
    problem: isIt ? problem : null,
    typed: (problem && isIt && sent?.typed) || {},
  })
  return {
    title: 'Notifications',
    status: problem?.status,
    content: (
      <>
        {problem && <ProblemNote problem={besideFields(problem, subscriptionForm)} />}
        {sent?.secret && <Secret secret={sent.secret} />}
        {!c.env.BOT_TOKEN && (
          <p class="note">
            This service has no bot, so messages to chats are not sent. They appear here and in the log instead.
          </p>
        )}
        <SubscriptionList subscriptions={listed.data} members={members} request={request} />
        {visitor.canChange && (
          <>
            <DigestForm {...shared(!wasAlert)} reports={namesOf(isShowable)} request={request} />
            <AlertForm {...shared(wasAlert)} reports={namesOf(hasSeries)} />
          </>
        )}
      </>
    ),
  }
}

function Secret({ secret }: { secret: string }) {
  return (
    <section class="card">
      <h2>Signing secret</h2>
      <p>
        Keep this secret in your receiver. It verifies the header <code>webhook-signature</code> (Standard Webhooks) and
        is shown only now. A secret that it replaced also signs for 24 hours.
      </p>
      <p>
        <code>{secret}</code>
      </p>
    </section>
  )
}
