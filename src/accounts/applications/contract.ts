import { createRoute, z } from '@hono/zod-openapi'
import { EFFECT_SECONDS } from '../../access/api-keys.ts'
import { DEFAULT_INIT_DATA_HOURS, MAX_INIT_DATA_HOURS } from '../../access/init-data/init-data.ts'
import { toTimeZone, UTC_NAME } from '../../base/time/calendar.ts'
import { answer, envelopeOf, jsonAnswer, jsonBody, problems } from '../../http/api/answers.ts'
import { flag, label, moment } from '../../http/api/fields.ts'
import { DEMO } from '../../http/api/sample.ts'
import { integer, issue, reject, text } from '../../http/params.ts'
import { MAX_KEEP_MONTHS, MIN_KEEP_MONTHS } from './kept.ts'

export const NO_HANDLE = 'No application has this handle.'
export const OTHER_OWNER = 'This handle is registered by another account.'
/** The most applications of an account. */
export const MAX_APPLICATIONS = 100
export const ACCOUNT_FULL = `An account has at most ${MAX_APPLICATIONS} applications. Delete one you no longer need.`
/** Why a time zone cannot change now, among other reasons. */
export const ZONE_CHANGED_OFTEN =
  'The time zone of this application was changed several times in a few minutes. Try again in 15 minutes, once the unfinished changes are cleaned up.'
export const NO_OWN_HANDLE = 'No application of this account has this handle.'

/** A handle in a path, with or without its at-sign. */
export const handleParam = z
  .string()
  .transform((handle) => handle.replace(/^@/, ''))
  .openapi({ description: 'Handle of the application, without the at-sign.', example: 'lemon_shop_bot' })

const HANDLE_PATTERN = /^@[A-Za-z0-9_]+$/

/** Everyone sees these links, so schemes that run code or read files are refused. */
const ADDRESS_PATTERN = /^([Hh][Tt][Tt][Pp][Ss]?:\/\/[^\s/?#]|[Tt]\.[Mm][Ee]\/[^\s])/

const address = text({
  min: 1,
  max: 2083,
  pattern: ADDRESS_PATTERN,
  mismatch: 'Input should begin with http://, https:// or t.me/',
})

/** What an application's owner says about it. */
const details = {
  name: text({ min: 1, max: 100 }).openapi({ description: 'Name of the application.', example: 'Lemon Shop' }),
  link: address.openapi({
    description: 'Link to the application: `http://…`, `https://…` or `t.me/…`.',
    example: 'https://t.me/lemon_shop_bot/app',
  }),
  description: text({ min: 0, max: 500 }).openapi({ description: 'What the application is for.' }),
  photo_url: address.openapi({
    description: 'Address of a picture of the application: `http://…`, `https://…` or `t.me/…`.',
    example: 'https://example.org/lemon.png',
  }),
}

/** How an application verifies its users, and how long it keeps their events. */
const settings = {
  bot_id: integer({ min: 1 })
    .nullable()
    .openapi({
      type: ['integer', 'null'],
      description:
        "Id of the application's bot: the number before the colon of its token. With it, collection checks the messenger's signature of `init_data`; null: no check.",
      example: 7342037359,
    }),
  init_data_hours: integer({ min: 1, max: MAX_INIT_DATA_HOURS }).openapi({
    description: `Maximum age of \`init_data\`, in hours, if it is checked. The default is ${DEFAULT_INIT_DATA_HOURS}.`,
    example: DEFAULT_INIT_DATA_HOURS,
  }),
  verified_only: flag(
    'Whether keys of scope `client` must send events with valid `init_data`; anything else they send is a 403. Requires a `bot_id`.',
    false,
  ),
  keep_months: integer({ min: MIN_KEEP_MONTHS, max: MAX_KEEP_MONTHS })
    .nullable()
    .openapi({
      type: ['integer', 'null'],
      description:
        'How many months to keep events. Older ones are deleted permanently, day by day. null, the default: keep all.',
      example: 24,
    }),
}

/** A time zone as a request names it. */
const timeZone = z
  .string()
  .transform(
    (name, context) =>
      toTimeZone(name) ??
      reject(
        context,
        issue('value_error', 'Input should be the IANA name of a time zone, such as Asia/Jakarta or UTC'),
      ),
  )
  .openapi({
    type: 'string',
    description: `The application's time zone, by whose days all figures count: an IANA name. \`${UTC_NAME}\` by default.`,
    example: 'Asia/Jakarta',
  })

export const Registration = z
  .object({
    name: details.name,
    handle: text({ min: 2, max: 100, pattern: HANDLE_PATTERN }).openapi({
      description: 'Handle in the messenger: an at-sign, then letters, digits and underscores.',
      example: '@lemon_shop_bot',
    }),
    link: details.link,
    description: details.description.default(''),
    photo_url: details.photo_url,
    time_zone: timeZone.optional(),
  })
  .openapi('Registration')

const projectId = label(
  'Identifies the application for tracking clients and in `x-project-id`.',
  '7d1f0a54-2c3b-4f7e-9a86-5e0c1b2d3f48',
)

const Registered = z
  .object({
    ...envelopeOf(201, 'Application registered successfully', '; the HTTP status is 200.'),
    project_id: projectId,
  })
  .openapi('Registered')

export const registerApplication = createRoute({
  method: 'post',
  path: '/applications/register',
  operationId: 'registerApplication',
  summary: 'Application registration',
  description:
    'Registers an application for tracking. Registering a handle again from the same account updates the name, link, description and photo, and the time zone if the request names one. ' +
    `An account has at most ${MAX_APPLICATIONS} applications; one more is a 409, as is a handle of another account. ` +
    'The HTTP status is 200; `status_code` in the body is 201.',
  tags: ['Applications'],
  sample: {
    body: {
      name: 'Lemon Stand',
      handle: '@lemon_stand_bot',
      link: 'https://t.me/lemon_stand_bot/app',
      description: 'Lemonade, by the glass',
      photo_url: 'https://example.org/stand.png',
    },
  },
  request: { body: jsonBody(Registration) },
  responses: { 200: jsonAnswer(Registered, 'The application is registered.'), ...problems({ 409: OTHER_OWNER }) },
})

const Application = z
  .object({
    handle: label('Handle, without its at-sign.', 'lemon_shop_bot'),
    ...details,
    ...settings,
    time_zone: label('The time zone by whose days all figures count: an IANA name.', 'Asia/Jakarta'),
    time_zone_next: z
      .string()
      .nullable()
      .openapi({
        type: ['string', 'null'],
        description:
          'The next time zone, while its figures are being prepared; every answer uses `time_zone` until they are complete. Otherwise null.',
        example: null,
      }),
    data_since: z.iso.date().nullable().openapi({
      description: 'The first day for which reports are complete; null while all days are kept.',
      example: '2024-12-20',
    }),
    project_id: projectId,
    created_at: moment('When it was registered.', '2026-11-20T10:15:30.000Z'),
  })
  .openapi('Application', { description: 'An application as its account sees it.' })

const AnsweredApplication = answer('ApplicationAnswer', { data: Application })

export const listApplications = createRoute({
  method: 'get',
  path: '/applications',
  operationId: 'listApplications',
  summary: 'Applications',
  description: "The account's applications, by handle.",
  tags: ['Account'],
  responses: {
    200: jsonAnswer(
      answer('ApplicationList', { data: z.array(Application).openapi({ description: 'The applications.' }) }),
      'The applications.',
    ),
  },
})

export const getApplication = createRoute({
  method: 'get',
  path: '/applications/{handle}',
  operationId: 'getApplication',
  summary: 'An application',
  description: 'One application of the account.',
  tags: ['Account'],
  sample: { path: { handle: DEMO.handle } },
  request: { params: z.object({ handle: handleParam }) },
  responses: { 200: jsonAnswer(AnsweredApplication, 'The application.'), ...problems({ 404: NO_OWN_HANDLE }) },
})

export const ApplicationChanges = z
  .strictObject({ ...details, ...settings, time_zone: timeZone })
  .partial()
  .openapi('ApplicationChanges')

export const updateApplication = createRoute({
  method: 'patch',
  path: '/applications/{handle}',
  operationId: 'updateApplication',
  summary: 'Changing an application',
  description:
    `Changes the fields in the body and keeps the others. An unknown field is a 422. A new name reaches tracking clients, and other settings reach collection, within ${EFFECT_SECONDS} seconds. ` +
    'A new time zone takes effect once all events are counted by its days; until then, `time_zone_next` names it. To cancel a change in progress, send the current time zone.',
  tags: ['Account'],
  sample: { path: { handle: DEMO.handle }, body: { description: 'Lemons, by the crate', keep_months: 24 } },
  request: { params: z.object({ handle: handleParam }), body: jsonBody(ApplicationChanges) },
  responses: {
    200: jsonAnswer(AnsweredApplication, 'The application as it is now.'),
    ...problems({ 404: NO_OWN_HANDLE, 409: ZONE_CHANGED_OFTEN }),
  },
})
