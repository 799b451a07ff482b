import { createRoute, z } from '@hono/zod-openapi'
import { NO_APPLICATION } from '../access/refusals.ts'
import { toFaults } from '../base/faults.ts'
import { toTimeZone } from '../base/time/calendar.ts'
import { parseInstant } from '../base/time/instant.ts'
import { envelope, jsonAnswer, jsonBody, problems } from '../http/api/answers.ts'
import { integer, issue, reject, text } from '../http/params.ts'
import { eventParam, label, moment } from '../questions/engine/contract.ts'
import type { MessageTarget, SubscriptionRule } from '../storage/subscription.ts'
import { MAX_SUBSCRIPTIONS, NO_SECRET, NO_SUBSCRIPTION, SUBSCRIPTIONS_FULL } from './subscriptions.ts'

const MAX_QUESTIONS = 3
const MAX_URL_CHARACTERS = 2_000
const MINUTES = { min: 10, max: 10_080 }
const MAX_PERCENT = 100_000

const question = text({ min: 1, max: 100 })

const timeZone = z
  .string()
  .transform((name, context) => toTimeZone(name) ?? reject(context, issue('value_error', NO_ZONE)))

const NO_ZONE = "Input should be the IANA name of a time zone, such as 'Europe/Berlin'"

const RULES: Readonly<Record<SubscriptionRule['type'], z.ZodType<SubscriptionRule>>> = {
  digest: z.strictObject({
    type: z.literal('digest'),
    every: z.enum(['daily', 'weekly']),
    hour: integer({ min: 0, max: 23 }),
    time_zone: timeZone,
    questions: z.array(question).max(MAX_QUESTIONS).default([]),
  }),
  above: z.strictObject({ type: z.literal('above'), question, value: z.number() }),
  below: z.strictObject({ type: z.literal('below'), question, value: z.number() }),
  changes_by: z.strictObject({
    type: z.literal('changes_by'),
    question,
    percent: z.number().min(1).max(MAX_PERCENT),
  }),
  silent: z.strictObject({ type: z.literal('silent'), minutes: integer(MINUTES), event: eventParam.optional() }),
  new_event_name: z.strictObject({ type: z.literal('new_event_name') }),
  quota: z.strictObject({ type: z.literal('quota') }),
}

/** The messenger's ids of groups and channels are negative. Names change hands, so they are not taken. */
const CHAT = /^-\d{1,16}$/

const TARGETS: Readonly<Record<MessageTarget['type'], z.ZodType<MessageTarget>>> = {
  member: z.strictObject({ type: z.literal('member'), telegram_id: integer({ min: 1 }) }),
  chat: z.strictObject({
    type: z.literal('chat'),
    chat_id: text({
      min: 2,
      max: 17,
      pattern: CHAT,
      mismatch: 'Input should be an id such as -1001234567890',
    }),
    topic_id: integer({ min: 1 }).optional(),
  }),
  webhook: z.strictObject({ type: z.literal('webhook'), url: text({ min: 1, max: MAX_URL_CHARACTERS }) }),
}

/** Reads a value by the schema of its own type, so that faults point at what is wrong with it. */
function byType<T>(schemas: Readonly<Record<string, z.ZodType<T>>>) {
  const types = Object.keys(schemas)
  return z.unknown().transform((value, context): T => {
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    if (value === undefined) return reject(context, issue('missing', 'Field required'))
    if (!isObject) return reject(context, issue('dict_type', 'Input should be a valid dictionary'))
    const schema = schemas[types.find((type) => type === (value as { type?: unknown }).type) ?? '']
    if (!schema) {
      const msg = `Input should be '${types.slice(0, -1).join("', '")}' or '${types.at(-1)}'`
      context.addIssue({ ...issue('enum', msg), path: ['type'] })
      return z.NEVER
    }
    const read = schema.safeParse(value, { reportInput: true })
    if (read.success) return read.data
    for (const { loc, msg, type } of toFaults(read.error.issues as z.core.$ZodIssue[], [])) {
      context.addIssue({ ...issue(type, msg), path: [...loc] })
    }
    return z.NEVER
  })
}

const RULE = {
  description:
    'What is sent, by `type`. ' +
    `\`digest\` (\`every\`: \`daily\` or \`weekly\`, on Mondays; \`hour\`: 0 to 23; \`time_zone\`: an IANA name; \`questions\`: names of up to ${MAX_QUESTIONS} saved reports): figures of the last whole day or week. ` +
    '`above` and `below` (`question`: the name of a saved report; `value`): the figure of the last whole interval is greater or less. ' +
    '`changes_by` (`question`, `percent`): it differs by at least that much from the same weekday or hour a week before, or from the week or month before. ' +
    '`silent` (`minutes`; `event`: a name): no event, or none of that name, for so long. ' +
    '`new_event_name`: events with a name that never occurred before. ' +
    "`quota`: 80 percent of one of the application's daily quotas are used.",
  example: { type: 'digest', every: 'daily', hour: 9, time_zone: 'Europe/Berlin', questions: [] },
  type: 'object' as const,
  additionalProperties: true,
}

const TARGET = {
  description:
    'Where it is sent, by `type`. `member` (`telegram_id`): the chat of a member of the account, who signed in inside the messenger, with the bot of the service. ' +
    '`chat` (`chat_id`: the id of a group or channel that one of its administrators connected with `/connect`; `topic_id`). ' +
    '`webhook` (`url`: an `https` address).',
  example: { type: 'chat', chat_id: '-1001234567890' },
  type: 'object' as const,
  additionalProperties: true,
}

const name = text({ min: 1, max: 100 }).openapi({ description: 'What it is called.', example: 'Every morning' })

const instant = z
  .string()
  .transform((value, context) => parseInstant(value) ?? reject(context, issue('value_error', NO_MOMENT)))

const NO_MOMENT = 'Input should be a moment in ISO 8601'

const NewSubscription = z
  .strictObject({ name, rule: byType(RULES).openapi(RULE), target: byType(TARGETS).openapi(TARGET) })
  .openapi('NewSubscription')

const SubscriptionChanges = z
  .strictObject({
    name: name.optional(),
    rule: byType(RULES).optional().openapi(RULE),
    is_on: z.boolean().optional().openapi({ description: 'Whether anything is sent.', example: true }),
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
    text: z
      .string()
      .nullable()
      .openapi({ description: 'The message; null until it is composed.', example: 'Lemon Shop' }),
    http_status: z
      .number()
      .int()
      .nullable()
      .openapi({ description: 'What the receiver answered; null for none.', example: 200 }),
    answer: z
      .string()
      .nullable()
      .openapi({ description: 'The first 200 characters of its answer, or why it was not sent.', example: 'ok' }),
  })
  .openapi('Delivery', { description: 'A message of a subscription.' })

const shown = {
  id: label('Identifies the subscription.', '0b0f1a3e-6f0e-4f43-9d0a-2c6f5d1c7e11'),
  name: label('What it is called.', 'Every morning'),
  rule: z.record(z.string(), z.unknown()).openapi(RULE),
  target: z.record(z.string(), z.unknown()).openapi(TARGET),
  is_on: z.boolean().openapi({ description: 'Whether anything is sent.', example: true }),
  is_active: z.boolean().openapi({ description: 'Whether the alert has started and not ended.', example: false }),
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
    secret: z.string().nullable().openapi({
      description: 'Signs what a webhook gets, as Standard Webhooks describes; null for other targets.',
      example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=',
    }),
  })
  .openapi('AddedSubscription', { description: 'A new digest or alert.' })

const AddedAnswer = z.object({ data: AddedSubscription, ...envelope }).openapi('NewSubscriptionAnswer')

const SubscriptionAnswer = z.object({ data: Subscription, ...envelope }).openapi('SubscriptionAnswer')

const params = z.object({
  id: z.string().openapi({ description: 'Id of the subscription.', example: '0b0f1a3e-6f0e-4f43-9d0a-2c6f5d1c7e11' }),
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
      z
        .object({ data: z.array(Subscription).openapi({ description: 'The subscriptions.' }), ...envelope })
        .openapi('SubscriptionList'),
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
  request: { params },
  responses: {
    200: jsonAnswer(SubscriptionAnswer, 'The subscription that was deleted.'),
    ...problems({ 404: NO_SUBSCRIPTION }),
  },
})
