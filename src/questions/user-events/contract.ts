import { createRoute, z } from '@hono/zod-openapi'
import { SESSION_GAP_MINUTES } from '../../columns/selection/sessions.ts'
import { DEMO } from '../../http/api/sample.ts'
import { issue, reject, SAFE_INTEGER } from '../../http/params.ts'
import {
  answers,
  count,
  eventParam,
  limitParam,
  listAnswer,
  telegramIdParam,
  UNKNOWN_USER,
} from '../engine/contract.ts'
import { eventFields } from '../events/contract.ts'

/** The position of an event among those of its user. */
export interface TimelineCursor {
  readonly time: number
  readonly key: number
}

const CURSOR = /^(\d{1,16})-(\d{1,16})$/

/** A cursor as an answer returns it and the request for the next page sends it. */
export function toCursor({ time, key }: TimelineCursor): string {
  return `${time}-${key}`
}

/** Null if the text is not a cursor. */
export function parseCursor(text: string): TimelineCursor | null {
  const [time, key] = (CURSOR.exec(text) ?? []).slice(1).map(Number)
  return Number.isSafeInteger(time) && Number.isSafeInteger(key) ? { time: time as number, key: key as number } : null
}

const UserEvent = z
  .object({
    ...eventFields,
    session: count(
      `Number of the user's session, 1 for the first one ever. A new session begins after a pause of more than ${SESSION_GAP_MINUTES} minutes.`,
      53,
    ),
  })
  .openapi('UserEvent')

const UserEvents = listAnswer('UserEvents', {
  data: z.array(UserEvent).openapi({ description: 'Newest first.' }),
  next: z.string().nullable().openapi({
    description: 'The `before` of the next page; null on the last page.',
    example: '1795265692271-81985529216486',
  }),
})

const cursorParam = z
  .string()
  .transform((text, context) => {
    return parseCursor(text) ?? reject(context, issue('value_error', 'Input should be a `next` that an answer gave'))
  })
  .openapi({ type: 'string', pattern: `^${SAFE_INTEGER}-${SAFE_INTEGER}$`, example: '1795265692271-81985529216486' })

export const listUserEvents = createRoute({
  method: 'get',
  path: '/users/{telegram_id}/events',
  operationId: 'listUserEvents',
  summary: "A user's events",
  description:
    "All events of a user of the caller's application, newest first, page by page. " +
    'New events do not shift the pages: each page continues where the previous one ended.',
  tags: ['Users'],
  sample: { path: { telegram_id: DEMO.user }, query: 'limit=3' },
  request: {
    params: z.object({ telegram_id: telegramIdParam }),
    query: z.object({
      event: eventParam
        .optional()
        .openapi({ description: 'Only events of this name. Without it, you get all events.', example: 'Order paid' }),
      limit: limitParam(1000, 100, 'Events per page. Pages with very large events have fewer.'),
      before: cursorParam
        .optional()
        .openapi({ description: 'The `next` of the previous page. Without it, you get the newest events.' }),
    }),
  },
  responses: answers(UserEvents, 'One page of events.', { 404: UNKNOWN_USER }),
})
