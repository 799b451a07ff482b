import { applicationOf } from '../access/access.ts'
import { toIso } from '../base/time/days.ts'
import { SUCCESS } from '../http/api/answers.ts'
import { operation } from '../http/api/operation.ts'
import type { RequestContext } from '../http/context.ts'
import {
  addSubscriptionContract,
  changeSubscriptionContract,
  deleteSubscriptionContract,
  listSubscriptionsContract,
  rotateSubscriptionSecretContract,
} from './contract.ts'
import {
  addSubscription,
  changeSubscription,
  deleteSubscription,
  listSubscriptions,
  rotateSecret,
  type Subscription,
} from './subscriptions.ts'

const CHANGING = { header: 'x-api-key', scope: 'full', budget: 'registration' } as const

export const listSubscriptionsRoute = operation(
  listSubscriptionsContract,
  { header: 'x-api-key', scope: 'full' },
  async (_input, { db, access }) => {
    const subscriptions = await listSubscriptions(db, applicationOf(access).id)
    return { data: subscriptions.map(toWire), ...SUCCESS }
  },
)

export const addSubscriptionRoute = operation(addSubscriptionContract, CHANGING, async ({ body }, context) => {
  const secrets = context.env.KEY_SEALING_SECRET
  const { origin } = new URL(context.request.url)
  const { subscription, secret } = await addSubscription({ ...body, origin, secrets }, subscribingIn(context))
  return { data: { ...toWire(subscription), secret }, ...SUCCESS }
})

export const changeSubscriptionRoute = operation(
  changeSubscriptionContract,
  CHANGING,
  async (
    { path: { id }, body: { is_on: isOn, snoozed_until: snoozedUntil, next_at: nextAt, ...changes } },
    context,
  ) => {
    const subscription = await changeSubscription(
      id,
      { ...changes, isOn, snoozedUntil, nextAt },
      subscribingIn(context),
    )
    return { data: toWire(subscription), ...SUCCESS }
  },
)

export const rotateSubscriptionSecretRoute = operation(
  rotateSubscriptionSecretContract,
  CHANGING,
  async ({ path: { id } }, context) => {
    const { subscription, secret } = await rotateSecret(id, subscribingIn(context), context.env.KEY_SEALING_SECRET)
    return { data: { ...toWire(subscription), secret }, ...SUCCESS }
  },
)

export const deleteSubscriptionRoute = operation(
  deleteSubscriptionContract,
  CHANGING,
  async ({ path: { id } }, { db, access }) => {
    return { data: toWire(await deleteSubscription(db, applicationOf(access).id, id)), ...SUCCESS }
  },
)

export const subscriptionOperations = [
  listSubscriptionsRoute,
  addSubscriptionRoute,
  changeSubscriptionRoute,
  rotateSubscriptionSecretRoute,
  deleteSubscriptionRoute,
]

function subscribingIn({ db, env, access, now }: RequestContext) {
  const { BOT_TOKEN: token, WEBHOOK_PORTS: ports } = env
  return { db, applicationId: applicationOf(access).id, accountId: access.accountId, now, fetch, token, ports }
}

function toWire({ id, name, rule, target, problem, state, deliveries, ...times }: Subscription) {
  return {
    id,
    name,
    rule: { ...rule },
    target: { ...target },
    is_on: times.nextAt !== null,
    is_active: state.isActive,
    next_at: isoOrNull(times.nextAt),
    snoozed_until: isoOrNull(times.snoozedUntil),
    problem,
    created_at: toIso(times.createdAt),
    deliveries: deliveries.map(({ at, kind, status, content, httpStatus, answer }) => ({
      at: toIso(at),
      kind,
      status,
      text: content?.text ?? null,
      http_status: httpStatus,
      answer,
    })),
  }
}

function isoOrNull(time: number | null): string | null {
  return time === null ? null : toIso(time)
}
