import { createRoute, z } from '@hono/zod-openapi'
import { NO_APPLICATION } from '../../access/refusals.ts'
import { jsonAnswer, problems } from '../../http/api/answers.ts'
import { DEMO } from '../../http/api/sample.ts'
import { booleanParam, integerParam, text } from '../../http/params.ts'
import { count, label, limitParam, listAnswer, moment, telegramIdParam, UNKNOWN_USER } from '../engine/contract.ts'

/** Keys by which `GET /users/segmentation` sorts; `GET /users` has further ones. */
const LISTED_SORT_KEYS = [
  'is_premium',
  'curr_balance',
  'curr_volume',
  'total_events',
  'total_sessions',
  'language',
  'country',
  'city',
  'provider',
] as const

export const SORT_KEYS = [...LISTED_SORT_KEYS, 'name', 'first_active_at', 'last_active_at'] as const

export type SortKey = (typeof SORT_KEYS)[number]

/** What is known of a user's first event and of what acquired them. */
const FirstTouchFields = z.object({
  first: z
    .record(z.string(), z.union([z.string(), z.boolean()]))
    .nullable()
    .openapi({
      description:
        'Properties of the user at their first event, as `first.<property>` in filters; those without a value are missing. Null if it is not known yet, as are the next six.',
      example: { language: 'en', country: 'Germany' },
    }),
  acquired_by: label(
    'The start parameter that acquired the user. Null if there is none.',
    'ads_tg-spring_banner7',
  ).nullable(),
  source: label('What the rules for sources say about it.', 'tg').nullable(),
  medium: label('The same.', 'cpc').nullable(),
  campaign: label('The same.', 'spring').nullable(),
  content: label('The same.', 'banner7').nullable(),
  referrer: label('The same.', '5448148962').nullable(),
})

export type FirstTouchFields = z.output<typeof FirstTouchFields>

const UserSegmentationEntry = z
  .object({
    telegram_id: count('Messenger id of the user.', 7234567890),
    language: label('Language code.', 'de').nullable(),
    utm: label('The first start parameter that is not empty.', 'channel_42').nullable(),
    is_premium: z.boolean().nullable().openapi({ description: 'Null if no event said so.', example: true }),
    first_active_at: moment('Time of the first event, UTC.', '2026-09-01T08:11:22.518Z'),
    country: label('English name.', 'United States').nullable(),
    city: label('English name.', 'Austin').nullable(),
    total_events: count('Over all time.', 326),
    total_sessions: count('Over all time, as the client counts sessions.', 53),
    username: label('Name in the messenger, as last reported.', 'lemon_lover').nullable(),
    firstname: label('First name, as last reported.', 'Lena').nullable(),
    lastname: z.string().nullable().openapi({ description: 'Last name, as last reported.', example: null }),
    last_active_at: moment('Time of the latest event, UTC.', '2026-11-19T12:54:52.271Z'),
    device: label("The messenger's name for the platform.", 'ios').nullable(),
    brand: label('Brand of the device.', 'Apple').nullable(),
    model: label('Model of the device.', 'iPhone').nullable(),
    ...FirstTouchFields.shape,
  })
  .openapi('UserSegmentationEntry', { description: 'A user with all stored properties.' })

export type UserSegmentationEntry = z.output<typeof UserSegmentationEntry>

/** A user as the database has them. */
export type StoredUserEntry = Omit<UserSegmentationEntry, keyof FirstTouchFields>

export const UserSegmentationResponse = listAnswer('UserSegmentationResponse', {
  limit: count('Users per page.', 20),
  offset: count('Users skipped.', 0),
  data: z.array(UserSegmentationEntry).openapi({ description: 'The users of this page, in the requested order.' }),
})

const OneUser = listAnswer('OneUser', { data: UserSegmentationEntry })

const ABOUT_SORTING =
  "Sort key. `curr_balance`, `curr_volume` and `provider` describe the user's wallet: its last reported balance, the sum of its signed transactions, and its provider."

const listParams = {
  sort_by: z.enum(LISTED_SORT_KEYS).default('curr_balance').openapi({ description: ABOUT_SORTING }),
  sort_order: z
    .enum(['asc', 'desc'])
    .default('desc')
    .openapi({ description: 'Sort order. Missing values always come last.' }),
  limit: limitParam(1000, 20, 'Users per page.'),
  offset: integerParam({ min: 0 }).default(0).openapi({ description: 'Users to skip.' }),
}

/** The order and the page of users who are found. */
export const userListParams = {
  ...listParams,
  sort_by: z
    .enum(SORT_KEYS)
    .default('curr_balance')
    .openapi({
      description: `${ABOUT_SORTING} \`name\` is the first and last name, else the username; the letters A to Z sort like a to z.`,
    }),
}

export type UserListParams = z.output<z.ZodObject<typeof userListParams>>

/** Which users a list has. */
export const userFilterParams = {
  language: label('Only users with this language code.', 'de').optional(),
  utm: label('Only users with this first start parameter.', 'channel_42').optional(),
  is_premium: booleanParam().optional().openapi({
    description:
      'Only users with this premium status. `true`, `1`, `yes`, `on` or `false`, `0`, `no`, `off`, in any case.',
    example: true,
  }),
  country: label('Only users from this country: its English name or its two-letter code.', 'DE').optional(),
  city: label('Only users from this city: its name as stored.', 'Berlin').optional(),
}

export type UserFilterParams = z.output<z.ZodObject<typeof userFilterParams>>

/** The most characters of a search. */
export const MAX_SEARCHED = 40

export const userSearchParam = text({
  min: 1,
  max: MAX_SEARCHED,
  pattern: /^[^\n]*$/,
  mismatch: 'String should be one line',
})
  .optional()
  .openapi({
    description:
      'Only users whose id is this, or whose name (first and last, joined by a space) or username contains it, in any case. After `@`, only usernames are searched.',
    example: 'lena',
  })

export const listUsers = createRoute({
  method: 'get',
  path: '/users/segmentation',
  operationId: 'listUsers',
  summary: 'User list',
  description:
    "Users of the caller's application, filtered, sorted and paged. " +
    'Ties are sorted by `telegram_id`, ascending, so that paging neither repeats nor skips a user.',
  tags: ['Users'],
  sample: { query: 'is_premium=true&country=DE&sort_by=total_events&limit=2' },
  request: { query: z.object({ ...userFilterParams, ...listParams }) },
  responses: { 200: jsonAnswer(UserSegmentationResponse, 'One page of users.'), ...problems({ 404: NO_APPLICATION }) },
})

export const getUser = createRoute({
  method: 'get',
  path: '/users/{telegram_id}',
  operationId: 'getUser',
  summary: 'One user',
  description: "A user of the caller's application, with the same data as in the list of users.",
  tags: ['Users'],
  sample: { path: { telegram_id: DEMO.user } },
  request: { params: z.object({ telegram_id: telegramIdParam }) },
  responses: { 200: jsonAnswer(OneUser, 'The user.'), ...problems({ 404: UNKNOWN_USER }) },
})
