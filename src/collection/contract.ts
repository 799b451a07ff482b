import { createRoute, z } from '@hono/zod-openapi'
import { MAX_INIT_DATA_CHARACTERS } from '../access/init-data/init-data.ts'
import { NO_APPLICATION } from '../access/refusals.ts'
import { charactersOf, PROPERTY_NAMES, propertyOf } from '../base/event.ts'
import { CONTEXT_CHARACTERS, NAME_CHARACTERS, START_PARAMETER_CHARACTERS, TEXT_CHARACTERS } from '../base/text/text.ts'
import { parseInstant } from '../base/time/instant.ts'
import { envelope, jsonAnswer, jsonBody, problems } from '../http/api/answers.ts'
import { count, label } from '../http/api/fields.ts'
import { jsonText, refTo } from '../http/list-params.ts'
import { issue, reject, text } from '../http/params.ts'
import { isObject, MAX_LEFT_OUT, PARAMS_LIMITS } from './params.ts'
import { SAMPLE_EVENT } from './sample.ts'
import { CLIENT_KEY_DAYS_BACK, MINUTES_AHEAD, YEARS_BACK } from './time-bounds.ts'
import { type Shape, toUserId, type Wire } from './wire.ts'

/** Events in one body, by the scope of the key. */
export const MAX_EVENTS = { full: 500, client: 50 } as const
/** Events in one body whose user is named by init data. */
export const MAX_EVENTS_OF_VERIFIED_USER = 500
export const NOT_KEPT = 'The events could not be kept right now. Send them again.'

const name = text({ min: 0, max: NAME_CHARACTERS }).openapi({
  description: 'Name of the event; an empty one becomes `(unnamed)`.',
  example: 'Purchase',
})

export const userId = read((value) => {
  if (typeof value !== 'number' && typeof value !== 'string')
    return issue('int_type', 'Input should be a valid integer')
  return toUserId(value) ?? issue('int_parsing', 'Input should be a whole number from 1 to 9007199254740991')
}).openapi({
  oneOf: [
    { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
    { type: 'string', pattern: '^\\s*([1-9]\\d{0,14}|[1-8]\\d{15})\\s*$' },
  ],
  description: 'Messenger id of the user, as a number or as its digits; from 1 to 2^53-1.',
  example: 7234567890,
})

const moment = read(
  (value) => parseInstant(value) ?? issue('value_error', 'Input should be Unix seconds, milliseconds or ISO 8601'),
).openapi({ oneOf: [{ type: 'number' }, { type: 'string' }] })

const time = moment.optional().openapi({
  description:
    `When it happened: Unix seconds or milliseconds, as a number or as text, or ISO 8601; by default now. At most ${MINUTES_AHEAD} minutes in the future and ${YEARS_BACK} years in the past (${CLIENT_KEY_DAYS_BACK} days with a client key). ` +
    'An event without a time and without an `event_id` counts again if it is sent again.',
  example: '2026-11-20T10:15:30Z',
})

const TOO_LONG = `String should have at most ${TEXT_CHARACTERS} characters`

/** A text that some clients write as a number. */
const textOrNumber = z
  .unknown()
  .superRefine((value, context) => {
    if (value === null || value === undefined || typeof value === 'number') return
    if (typeof value !== 'string') context.addIssue(issue('string_type', 'Input should be a valid string'))
    else if ([...value].length > TEXT_CHARACTERS) context.addIssue(issue('string_too_long', TOO_LONG))
  })
  .optional()
  .openapi({ oneOf: [{ type: 'string', maxLength: TEXT_CHARACTERS }, { type: 'number' }, { type: 'null' }] })

const session = textOrNumber.openapi({ description: "The client's id of the session, unique for each user." })

/** Not `z.record`, which would lose a property called `__proto__`. */
const params = z
  .unknown()
  .superRefine((value, context) => {
    const isFitting = value === null || value === undefined || isObject(value)
    if (!isFitting) context.addIssue(issue('dict_type', 'Input should be a valid dictionary'))
  })
  .optional()
  .openapi({
    oneOf: [{ type: 'object', additionalProperties: {} }, { type: 'null' }],
    description: `Parameters of the event itself. ${PARAMS_LIMITS} Going beyond this is no error: \`left_out\` of the answer lists what was left out.`,
    example: { amount: 250, item: 'lemon' },
  })

export const EVENT_ID_CHARACTERS = 64

const eventId = text({ min: 1, max: EVENT_ID_CHARACTERS }).nullish().openapi({
  description: "The sender's own id of the event. Events of one user with the same id count once.",
  example: 'order-4711',
})

/** A required number that may be written in several ways; `parse` returns it, or an issue. */
function read(parse: (value: unknown) => number | ReturnType<typeof issue>) {
  return z.unknown().transform((value, context): number => {
    const parsed = value === undefined ? issue('missing', 'Field required') : parse(value)
    return typeof parsed === 'number' ? parsed : reject(context, parsed)
  })
}

/** The schemas of the properties that a shape has directly under this path. */
function propertiesOf(shape: Shape, path = ''): Record<string, z.ZodType> {
  const schemas = PROPERTY_NAMES.map(propertyOf).flatMap((property) => {
    const full = property.wire?.[shape] ?? ''
    const name = full.startsWith(path) ? full.slice(path.length) : ''
    if (name === '' || name.includes('.')) return []
    const { type, about } = property
    return [[name, type === 'flag' ? flag(about) : optionalText(about, charactersOf(property))] as const]
  })
  return Object.fromEntries(schemas)
}

function optionalText(description: string, max = TEXT_CHARACTERS) {
  return text({ min: 0, max }).nullish().openapi({ description })
}

function flag(description: string) {
  return z.boolean().nullish().openapi({ description })
}

const CLIENT =
  'Name of the client. Sessions of `Go SDK`, `telemetree_wasm` and `python_SDK` are meaningless and not stored. For ' +
  '`telemetree_net` and `python-sdk-v2`, the start parameter is what follows `/start ` in a message; other text is not stored.'
const wallet = optionalText("Address of the user's wallet. Not stored.")
const referrer = optionalText('Chat instance that the application was opened from. Not stored.')

const ServerEvent = z
  .object({
    event_type: name,
    telegram_id: userId,
    datetime: time,
    event_id: eventId,
    application_id: textOrNumber.openapi({
      description: 'Ignored, unless `telegram_id` is 2147483647: then this is the id of the user.',
    }),
    session_id: session,
    event_source: optionalText(CLIENT),
    ...propertiesOf('server'),
    referrer,
    wallet,
    params,
  })
  .openapi('ServerEvent', { description: 'A plain event in the shape of servers.' })

const ClientEvent = z
  .object({
    eventType: name,
    telegramID: userId,
    timestamp: time,
    event_id: eventId,
    sessionIdentifier: session,
    eventSource: optionalText(CLIENT),
    userDetails: z
      .object(propertiesOf('browser', 'userDetails.'))
      .nullish()
      .openapi({ description: 'The user, as the messenger knows them.' }),
    eventDetails: z
      .object({
        ...propertiesOf('browser', 'eventDetails.'),
        path: optionalText('Page of the application. Not stored.'),
        params,
      })
      .nullish()
      .openapi({ description: 'The event itself.' }),
    ...propertiesOf('browser'),
    referrer,
    wallet,
    isAutocapture: flag('Whether the client captured the event by itself. Not stored.'),
    app: z.unknown().optional().openapi({ description: 'What the client says about the application. Ignored.' }),
  })
  .openapi('ClientEvent', {
    description: 'A plain event in the shape of browsers, recognised by `eventType` or `telegramID`.',
  })

/** The contracts of plain events. Parsed, the time is in milliseconds and the user a number. */
export const PLAIN_EVENTS: Readonly<Record<Shape, z.ZodType<Wire>>> = { browser: ClientEvent, server: ServerEvent }

/** The fields of an event in either shape. Every tracking client begins its events with one of them. */
export const EVENT_FIELDS: ReadonlySet<string> = new Set(
  [ServerEvent, ClientEvent].flatMap(({ shape }) => Object.keys(shape)),
)

const BASE64 = { contentEncoding: 'base64' }

const base64 = (description: string) => z.string().openapi({ description, ...BASE64 })

const SealedEvent = z
  .object({
    key: base64(
      "The AES key, encrypted with the application's RSA key (PKCS#1 v1.5): 16 bytes, or their 32 hexadecimal characters.",
    ),
    iv: base64('The initialisation vector, encrypted in the same way.'),
    body: base64("The event's JSON, encrypted with AES-128-CBC and PKCS#7 padding."),
  })
  .openapi('SealedEvent', {
    description:
      'One event as tracking clients send it. It is never refused for its content: names are cut at ' +
      `${NAME_CHARACTERS} characters, start parameters at ${START_PARAMETER_CHARACTERS}, other texts of the context at ` +
      `${CONTEXT_CHARACTERS}, and all others at ${TEXT_CHARACTERS}; parameters have the limits of plain events.`,
  })

const batch = {
  init_data: text({ min: 1, max: MAX_INIT_DATA_CHARACTERS })
    .nullish()
    .openapi({
      description:
        "What the messenger gave the mini-app (`Telegram.WebApp.initData`), unchanged except for `hash`: leave it out, as the service does not need it and anybody who has it can log in to the mini-app's own server. All events are then its user's: `telegram_id` is optional; " +
        'names, language, premium, start parameter and chat type are those of the init data, whatever an event says. If the application has a `bot_id`, ' +
        'the signature and the age are checked: if they do not pass, the answer is a 401 and nothing is stored. Events that pass are `verified`.',
      example:
        'user=%7B%22id%22%3A7234567890%2C%22first_name%22%3A%22Lea%22%7D&chat_type=private&auth_date=1763769599&signature=zL-ucjNyREiHDE8aihFwpfR9aggP2xiAo3NSpfe-p7IbCisNlDKlo7Kb6G4D0Ao2mBrSgEk4maLSdv6MLIlADQ',
    }),
  sent_at: moment.nullish().openapi({
    description:
      "The sender's clock at the time of sending, in a format of `datetime`. If it is more than a minute off, the times of all events are moved by the difference.",
    example: 1763769600123,
  }),
}

/** What is read before the events, which are read one by one: so each fault is told in the words of its shape. */
export const BatchHead = z.strictObject({ ...batch, events: z.array(z.unknown()) })

const BatchEvent = z.union([ServerEvent.partial({ telegram_id: true }), ClientEvent.partial({ telegramID: true })])

const ClientBatch = z
  .strictObject({
    ...batch,
    events: z
      .array(BatchEvent)
      .min(1)
      .max(MAX_EVENTS_OF_VERIFIED_USER)
      .openapi({
        description: `Plain events in either shape: up to ${MAX_EVENTS_OF_VERIFIED_USER} with \`init_data\`; without it up to ${MAX_EVENTS.full} (${MAX_EVENTS.client} with a client key), each with its user.`,
        example: [
          {
            event_type: 'Purchase',
            datetime: 1763769600001,
            event_id: '0f9619ff-8b86-4d01-b42d-00cf4fc964ff',
            params: { amount: 250 },
          },
        ],
      }),
  })
  .openapi('ClientBatch', { description: 'A batch of plain events, and what applies to all of them.' })

/**
 * The body as documented. `body.ts` reads it, tells the forms apart and reports faults in the words of the form that was meant. An
 * array of plain events is missing here, as generators for Java make code of it that does not compile: it is `events` alone.
 */
const CollectBody: z.ZodType = z
  .union([
    ServerEvent,
    ClientEvent,
    SealedEvent,
    ClientBatch,
    z.string().openapi({
      ...jsonText(refTo('SealedEvent')),
      pattern: '^\\s*\\{',
      description: 'A sealed event whose JSON was encoded twice, as a string.',
    }),
  ])
  .openapi({
    description: `One plain event in either shape, or one sealed event, or an object with \`events\` (up to ${MAX_EVENTS.full} plain events, ${MAX_EVENTS.client} with a client key) and what applies to all of them. An array of plain events is taken like \`events\` alone.`,
  })

const LeftOut = z
  .object({
    loc: z
      .array(z.union([z.string(), z.number().int()]))
      .openapi({ description: 'Its path in the body.', example: ['body', 3, 'params', 'blob'] }),
    msg: label('What happened to it.'),
  })
  .openapi('LeftOut', { description: 'A part of the parameters of a plain event that was not stored as it was sent.' })

/** What the answer says of the events. */
export const collected = {
  accepted: count('Number of events in the body.'),
  left_out: z
    .array(LeftOut)
    .max(MAX_LEFT_OUT)
    .optional()
    .openapi({
      description: `What was not stored of the parameters of plain events, at most ${MAX_LEFT_OUT} items; absent if everything was stored.`,
    }),
}

const Collected = z.object({ ...envelope, ...collected }).openapi('Collected')

export const collectEvents = createRoute({
  method: 'post',
  path: '/v1/client/events',
  operationId: 'collectEvents',
  summary: 'Event collection',
  description:
    `Takes one sealed event of a tracking client, or plain JSON: one event or an array of up to ${MAX_EVENTS.full} (${MAX_EVENTS.client} with a client key), all or none. ` +
    `An object with \`events\` holds the same number, or up to ${MAX_EVENTS_OF_VERIFIED_USER} with the messenger's \`init_data\`, which names their user and can prove it. ` +
    'An event acknowledged with 200 is not lost. An event sent twice with keys of one scope counts once. ' +
    'A 429 names the budget or the daily quota (of events, bytes or new users) that is spent. Over the quota of names, an event with a new name counts under `(other)`.',
  tags: ['Tracking'],
  sample: { body: { events: [SAMPLE_EVENT] } },
  request: { body: jsonBody(CollectBody) },
  responses: {
    200: jsonAnswer(Collected, 'The events are accepted.'),
    ...problems({ 404: NO_APPLICATION, 503: NOT_KEPT }),
  },
})
