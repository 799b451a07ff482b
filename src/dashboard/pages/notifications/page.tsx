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
import { besideFields } from '../../forms/form-of.ts'
import type { Again } from '../../forms/sent-form.ts'
import type { FormPage } from '../../frame/form-page.ts'
import type { ApplicationRequest } from '../../request/application-request.ts'
import type { PageContent } from '../../request/page-content.ts'
import { ifKnown, ProblemNote } from '../../request/problem.tsx'
import { AlertForm, DigestForm, isAlert, subscriptionForm } from './forms.tsx'
import { SubscriptionList } from './list.tsx'

const SNOOZED_DAYS = 1

/** The digests and alerts of an application. */
export const notificationsPage: FormPage = {
  page: 'notifications',
  content: notificationsContent,
  forms: {
    notifications: async (request, typed) => {
      const { data } = await addSubscriptionRoute.ask({ body: subscriptionForm.read(typed) }, request.context)
      return withSecret(request, data)
    },
    'notifications/:id/change': async (request, { text }) => {
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
    },
    'notifications/:id/delete': async (request) => {
      await ifKnown(deleteSubscriptionRoute.ask({ path: { id: idOf(request) } }, request.context))
    },
    'notifications/:id/secret': async (request) => {
      const { data } = await rotateSubscriptionSecretRoute.ask({ path: { id: idOf(request) } }, request.context)
      return withSecret(request, data)
    },
  },
  showsFailures: true,
}

/** The new secret of a webhook is shown only here. */
async function withSecret(request: ApplicationRequest, { secret }: { readonly secret: string | null }) {
  return secret === null ? undefined : notificationsContent(request, null, secret)
}

function idOf({ c }: ApplicationRequest): string {
  return c.req.param('id') ?? ''
}

async function notificationsContent(
  request: ApplicationRequest,
  again: Again | null,
  secret: string | null = null,
): Promise<PageContent> {
  const { c, application, visitor, context, home } = request
  const [listed, saved, members] = await Promise.all([
    listSubscriptionsRoute.ask({}, context),
    listSavedQuestions(c.get('db'), application.id),
    listMembers(c.get('db'), visitor.accountId),
  ])
  const namesOf = (isFor: typeof hasSeries) =>
    saved.filter(({ address }) => isFor(toSavedAddress(address))).map(({ name }) => name)
  const problem = again?.problem ?? null
  const typed = again?.form === 'notifications' ? subscriptionForm.read(again.typed) : null
  const wasAlert = typed !== null && isAlert(typed)
  const shared = (isIt: boolean) => ({
    action: `${home}/notifications`,
    members,
    problem: isIt ? problem : null,
    typed: (isIt && typed) || {},
  })
  return {
    title: 'Notifications',
    content: (
      <>
        {problem && <ProblemNote problem={besideFields(problem, subscriptionForm)} />}
        {secret && <Secret secret={secret} />}
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
