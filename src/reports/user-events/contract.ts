import { createRoute, z } from '@hono/zod-openapi'
import { envelope, jsonAnswer, problems } from '../../api/answers.ts'
import { integerParam, issue, reject } from '../../http/params.ts'
import { ANSWER_HEADERS } from '../answer-headers.ts'
import { eventFields } from '../events/contract.ts'
import { telegramIdParam, UNKNOWN_USER } from '../users/contract.ts'
import { parseCursor } from './query.ts'

const UserEvent = z
  .object({
    ...eventFields,
    session: z.number().int().openapi({
      description:
        "Number of the user's session that it belongs to, 1 for the first one ever: a pause of more than 30 minutes begins a new one.",
      example: 53,
    }),
  })
  .openapi('UserEvent')

const UserEvents = z
  .object({
    ...envelope,
    data: z.array(UserEvent).openapi({ description: 'Newest first.' }),
    next: z.string().nullable().openapi({
      description: '`before` of the next page; null on the last one.',
      example: '1795265692271-81985529216486',
    }),
  })
  .openapi('UserEvents')

const cursorParam = z
  .string()
  .transform((text, context) => {
    return parseCursor(text) ?? reject(context, issue('value_error', 'Input should be a `next` that an answer gave'))
  })
  .openapi({ type: 'string', example: '1795265692271-81985529216486' })

export const listUserEvents = createRoute({
  method: 'get',
  path: '/users/{telegram_id}/events',
  operationId: 'listUserEvents',
  summary: "A user's events",
  description:
    "Everything that a user of the caller's application did, newest first, page by page. " +
    'What happens meanwhile does not shift the pages: each one goes on where the one before ended.',
  tags: ['Users'],
  request: {
    params: z.object({ telegram_id: telegramIdParam }),
    query: z.object({
      limit: integerParam({ min: 1, max: 1000 })
        .default(100)
        .openapi({ description: 'Events per page; fewer where they are very large.' }),
      before: cursorParam
        .optional()
        .openapi({ description: '`next` of the page before; without it the newest events are shown.' }),
    }),
  },
  responses: {
    200: jsonAnswer(UserEvents, 'One page of events.', ANSWER_HEADERS),
    ...problems({ 404: UNKNOWN_USER }),
  },
})
