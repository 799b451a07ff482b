import { createRoute, z } from '@hono/zod-openapi'
import { NO_APPLICATION } from '../access/refusals.ts'
import { parseInstant } from '../base/time/instant.ts'
import { answer, jsonAnswer, jsonBody, problems } from '../http/api/answers.ts'
import { count, flag, label, moment } from '../http/api/fields.ts'
import { DEMO } from '../http/api/sample.ts'
import { issue, reject } from '../http/params.ts'
import { anyName, Rule, Target } from './rules/contract.ts'
import { MAX_SUBSCRIPTIONS, NO_SECRET, NO_SUBSCRIPTION, SUBSCRIPTIONS_FULL } from './subscriptions.ts'

const name = anyName.openapi({ description: 'What it is called.', example: 'Every morning' })

const instant = z
  .string()
  .transform((value, context) => parseInstant(value) ?? reject(context, issue('value_error', NO_MOMENT)))

const NO_MOMENT = 'Input should be a moment in ISO 8601'

export const NewSubscription = z.strictObject({ name, rule: Rule, target: Target }).openapi('NewSubscription')

const SubscriptionChanges = z
  .strictObject({
    name: name.optional(),
    rule: Rule.optional(),
    is_on: flag('Whether anything is sent.', true).optional(),
    snoozed_until: instant
      .nullable()
      .optional()
      .openapi({
        type: ['string', 'null'],
        format: 'date-time',
        description: 'Nothing is checked or sent until then; null: from now on.',
        example: '2026-11-21T08:00:00Z',
      }),
    next_at: instant.optional().openapi({
      type: 'string',
      format: 'date-time',
      description: 'Switches it on and makes it due then, once; a moment that is over: within five minutes.',
      example: '2026-11-21T08:00:00Z',
    }),
  })
  .openapi('SubscriptionChanges')

const Delivery = z
  .object({
    at: moment('The moment whose figures it has.', '2026-11-21T08:00:00.000Z'),
    kind: z.enum(['digest', 'started', 'ended', 'noticed']).openapi({
      description: 'A digest, the start or the end of an alert, or something that was noticed once.',
    }),
    status: z.enum(['waiting', 'sending', 'sent', 'shown', 'failed']).openapi({
      description: '`shown`: the service has no bot, so it is only shown here. `failed`: it is not tried again.',
    }),
    text: label('The message; null until it is composed.', 'Lemon Shop').nullable(),
    http_status: count('What the receiver answered; null for none.', 200).nullable(),
    answer: label('The first 200 characters of its answer, or why it was not sent.', 'ok').nullable(),
  })
  .openapi('Delivery', { description: 'A message of a subscription.' })

const shown = {
  id: label('Identifies the subscription.', '0b0f1a3e-6f0e-4f43-9d0a-2c6f5d1c7e11'),
  name: label('What it is called.', 'Every morning'),
  rule: Rule,
  target: Target,
  is_on: flag('Whether anything is sent.', true),
  is_active: flag('Whether the alert has started and not ended.', false),
  next_at: moment('When it is due next; null while it is off.', '2026-11-21T08:00:00.000Z').nullable(),
  snoozed_until: moment('Nothing is sent until then.', '2026-11-21T08:00:00.000Z').nullable(),
  problem: z
    .string()
    .nullable()
    .openapi({ description: 'Why it was switched off or cannot be checked.', example: null }),
  created_at: moment('When it was made.', '2026-11-20T10:15:30.000Z'),
  deliveries: z.array(Delivery).openapi({ description: 'The latest messages, newest first.' }),
}

const Subscription = z.object(shown).openapi('Subscription', { description: 'A digest or an alert.' })

const AddedSubscription = z
  .object({
    ...shown,
    secret: label(
      'Signs what a webhook gets, as Standard Webhooks describes; null for other targets.',
      'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=',
    ).nullable(),
  })
  .openapi('AddedSubscription', { description: 'A new digest or alert.' })

const AddedAnswer = answer('NewSubscriptionAnswer', { data: AddedSubscription })

const SubscriptionAnswer = answer('SubscriptionAnswer', { data: Subscription })

const params = z.object({
  id: label('Id of the subscription.', '0b0f1a3e-6f0e-4f43-9d0a-2c6f5d1c7e11'),
})

export const listSubscriptionsContract = createRoute({
  method: 'get',
  path: '/subscriptions',
  operationId: 'listSubscriptions',
  summary: 'Subscriptions',
  description: "The digests and alerts of the caller's application, oldest first, each with its latest messages.",
  tags: ['Notifications'],
  responses: {
    200: jsonAnswer(
      answer('SubscriptionList', { data: z.array(Subscription).openapi({ description: 'The subscriptions.' }) }),
      'The subscriptions.',
    ),
    ...problems({ 404: NO_APPLICATION }),
  },
})

export const addSubscriptionContract = createRoute({
  method: 'post',
  path: '/subscriptions',
  operationId: 'addSubscription',
  summary: 'Adding a subscription',
  description:
    `Adds a digest or an alert. An application has at most ${MAX_SUBSCRIPTIONS}. ` +
    'Addresses of webhooks that spell or resolve to a private network are a 422. Only this answer shows the `secret` that signs what a webhook gets.',
  tags: ['Notifications'],
  sample: { body: DEMO.digest },
  request: { body: jsonBody(NewSubscription) },
  responses: {
    200: jsonAnswer(AddedAnswer, 'The subscription.'),
    ...problems({ 404: NO_APPLICATION, 409: SUBSCRIPTIONS_FULL }),
  },
})

export const changeSubscriptionContract = createRoute({
  method: 'patch',
  path: '/subscriptions/{id}',
  operationId: 'changeSubscription',
  summary: 'Changing a subscription',
  description: 'Changes the given fields: renames it, replaces its rule, switches it on or off, or snoozes it.',
  tags: ['Notifications'],
  sample: { path: { id: DEMO.subscription }, body: { snoozed_until: '2026-11-30T00:00:00Z' } },
  request: { params, body: jsonBody(SubscriptionChanges) },
  responses: { 200: jsonAnswer(SubscriptionAnswer, 'The subscription.'), ...problems({ 404: NO_SUBSCRIPTION }) },
})

export const rotateSubscriptionSecretContract = createRoute({
  method: 'post',
  path: '/subscriptions/{id}/secret',
  operationId: 'rotateSubscriptionSecret',
  summary: 'Rotating the secret of a webhook',
  description:
    'Makes a new `secret`, which only this answer shows. For 24 hours messages are also signed with the one that it replaces: ' +
    'the header `webhook-signature` then has two signatures with a space between, as Standard Webhooks describes.',
  tags: ['Notifications'],
  sample: { path: { id: DEMO.subscription } },
  request: { params },
  responses: {
    200: jsonAnswer(AddedAnswer, 'The subscription with its new secret.'),
    ...problems({ 404: NO_SUBSCRIPTION, 409: NO_SECRET }),
  },
})

export const deleteSubscriptionContract = createRoute({
  method: 'delete',
  path: '/subscriptions/{id}',
  operationId: 'deleteSubscription',
  summary: 'Deleting a subscription',
  description: 'Deletes a subscription and its messages. Nothing more is sent.',
  tags: ['Notifications'],
  sample: { path: { id: DEMO.subscription } },
  request: { params },
  responses: {
    200: jsonAnswer(SubscriptionAnswer, 'The subscription that was deleted.'),
    ...problems({ 404: NO_SUBSCRIPTION }),
  },
})
