import { createRoute, z } from '@hono/zod-openapi'
import { envelope } from '../../http/api/answers.ts'
import { answers, eventParam, label } from '../contract.ts'
import { filtersParam } from '../filters/contract.ts'
import { periodParams } from '../period.ts'

const EventHours = z
  .object({
    data: z.array(z.array(z.number().nullable())).openapi({
      description:
        'Seven rows from Monday to Sunday, each with 24 figures from 00:00 to 23:00 by local clocks: the mean of all such hours of the period. Null if it has none.',
    }),
    hours: z.array(z.array(z.number().int())).openapi({
      description: 'How many such hours the period has, in the same rows.',
    }),
    time_zone: label("The time zone of these hours: the application's, as an IANA name.", 'Europe/Berlin'),
    ...envelope,
  })
  .openapi('EventHours')

export const analyzeEventHours = createRoute({
  method: 'get',
  path: '/events/hours',
  operationId: 'analyzeEventHours',
  summary: 'Hours of the week',
  description:
    "When an event of the caller's application happens: the mean number of users or events in each hour of the week. " +
    'Hours that have not begun yet do not count. On a day on which clocks change, an hour may be missing or come twice, and then counts as two.',
  tags: ['Events'],
  request: {
    query: z.object({
      event: eventParam.openapi({
        description: 'Name of the event; `_active` stands for any event.',
        example: 'Lemon bought',
      }),
      mode: z.enum(['uniques', 'totals']).default('uniques').openapi({
        description: 'What to count in each hour. `uniques`: distinct users. `totals`: events.',
      }),
      filters: filtersParam,
      ...periodParams,
    }),
  },
  responses: answers(EventHours, 'A week of hours.'),
})
