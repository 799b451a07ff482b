import { createRoute, z } from '@hono/zod-openapi'
import { NO_APPLICATION } from '../../access/refusals.ts'
import { envelope, jsonAnswer, problems } from '../../http/api/answers.ts'
import { integerParam, text } from '../../http/params.ts'
import { ANSWER_HEADERS } from '../answer-headers.ts'
import { eventFields } from '../events/contract.ts'
import { filtersParam } from '../filters/contract.ts'

const LatestEvent = z
  .object({
    ...eventFields,
    telegram_id: z.number().int().openapi({ description: 'Messenger id of the user.', example: 7234567890 }),
  })
  .openapi('LatestEvent')

const LatestEvents = z
  .object({ ...envelope, data: z.array(LatestEvent).openapi({ description: 'Newest first.' }) })
  .openapi('LatestEvents')

export const listLatestEvents = createRoute({
  method: 'get',
  path: '/events/latest',
  operationId: 'listLatestEvents',
  summary: 'Latest events',
  description:
    "The newest events of the caller's application with all their data, by the time at which they happened. Use it to check that tracking works. An event appears a second or two after it was sent.",
  tags: ['Events'],
  request: {
    query: z.object({
      event: text({ min: 1, max: 255 }).optional().openapi({
        description: 'Only events with this name. Defaults to `_active`, which stands for any event.',
        example: 'Order paid',
      }),
      filters: filtersParam,
      limit: integerParam({ min: 1, max: 100 }).default(20).openapi({ description: 'Maximum number of events.' }),
    }),
  },
  responses: {
    200: jsonAnswer(LatestEvents, 'Events.', ANSWER_HEADERS),
    ...problems({ 404: NO_APPLICATION }),
  },
})
