import { createRoute, z } from '@hono/zod-openapi'
import { answers, count, eventParam, limitParam, listAnswer } from '../engine/contract.ts'
import { eventFields } from '../events/contract.ts'
import { filtersParam } from '../filters/contract.ts'

const LatestEvent = z
  .object({
    ...eventFields,
    telegram_id: count('Messenger id of the user.', 7234567890),
  })
  .openapi('LatestEvent')

const LatestEvents = listAnswer('LatestEvents', {
  data: z.array(LatestEvent).openapi({ description: 'Newest first.' }),
})

export const listLatestEvents = createRoute({
  method: 'get',
  path: '/events/latest',
  operationId: 'listLatestEvents',
  summary: 'Latest events',
  description:
    "The newest events of the caller's application with all their data, by the time at which they happened. Use it to check that tracking works. An event appears a second or two after it was sent.",
  tags: ['Events'],
  sample: { query: 'event=Order paid&limit=2' },
  request: {
    query: z.object({
      event: eventParam.optional().openapi({
        description: 'Only events with this name. Defaults to `_active`, which stands for any event.',
        example: 'Order paid',
      }),
      filters: filtersParam,
      limit: limitParam(100, 20, 'Maximum number of events.'),
    }),
  },
  responses: answers(LatestEvents, 'Events.'),
})
