import { createRoute, z } from '@hono/zod-openapi'
import { envelope, jsonAnswer, problems } from '../../http/openapi.ts'
import { booleanParam, integerParam } from '../../http/params.ts'

export const SORT_KEYS = [
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

export type SortKey = (typeof SORT_KEYS)[number]

const UserSegmentationEntry = z
  .object({
    telegram_id: z.number().int().openapi({ description: 'Messenger id of the user.', example: 7234567890 }),
    language: z.string().nullable(),
    utm: z.string().nullable().openapi({ description: 'The first start parameter.' }),
    is_premium: z.boolean().nullable(),
    first_active_at: z.iso.datetime().openapi({ description: 'Time of the first event, UTC.' }),
    country: z.string().nullable().openapi({ description: 'English name.', example: 'United States' }),
    city: z.string().nullable(),
    total_events: z.number().int(),
    total_sessions: z.number().int(),
    username: z.string().nullable(),
    firstname: z.string().nullable(),
    lastname: z.string().nullable(),
    last_active_at: z.iso.datetime().openapi({ description: 'Time of the latest event, UTC.' }),
    device: z.string().nullable().openapi({ description: "The messenger's platform word.", example: 'ios' }),
    brand: z.string().nullable(),
    model: z.string().nullable(),
  })
  .openapi('UserSegmentationEntry')

export type UserSegmentationEntry = z.output<typeof UserSegmentationEntry>

const UserSegmentationResponse = z
  .object({
    ...envelope,
    limit: z.number().int().openapi({ description: 'Users per page.' }),
    offset: z.number().int().openapi({ description: 'Users skipped.' }),
    data: z.array(UserSegmentationEntry),
  })
  .openapi('UserSegmentationResponse')

const query = z.object({
  language: z.string().optional().openapi({ description: 'Language code.' }),
  utm: z.string().optional().openapi({ description: 'First start parameter.' }),
  is_premium: booleanParam().optional(),
  country: z.string().optional().openapi({ description: 'English name, or two-letter code.' }),
  city: z.string().optional(),
  sort_by: z.enum(SORT_KEYS).default('curr_balance'),
  sort_order: z.enum(['asc', 'desc']).default('desc').openapi({ description: 'Missing values come last either way.' }),
  limit: integerParam({ min: 1, max: 1000 }).default(20),
  offset: integerParam({ min: 0 }).default(0),
})

export const listUsers = createRoute({
  method: 'get',
  path: '/users/segmentation',
  operationId: 'listUsers',
  summary: "Users of the caller's application, filtered, sorted, paged",
  description: 'Ties go by `telegram_id`, ascending, so that paging neither repeats nor skips a user.',
  tags: ['Users'],
  request: { query },
  responses: { 200: jsonAnswer(UserSegmentationResponse, 'One page of users.'), ...problems(404) },
})
