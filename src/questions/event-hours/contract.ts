import { createRoute, z } from '@hono/zod-openapi'
import { answer, answers, eventParam, label } from '../engine/contract.ts'
import { periodParams } from '../engine/period.ts'
import { filtersParam } from '../filters/contract.ts'

const EventHours = answer('EventHours', {
  data: z.array(z.array(z.number().nullable())).openapi({
    description:
      'Seven rows (Monday to Sunday) of 24 figures (00:00 to 23:00, local time): the mean over these hours of the period, null if there are none.',
  }),
  hours: z.array(z.array(z.number().int())).openapi({
    description: 'The number of hours behind each mean, in the same rows.',
  }),
  time_zone: label("The time zone of these hours: the application's, as an IANA name.", 'Europe/Berlin'),
})

export const analyzeEventHours = createRoute({
  method: 'get',
  path: '/events/hours',
  operationId: 'analyzeEventHours',
  summary: 'Hours of the week',
  description:
    "The mean number of users who had an event, or of events, in each hour of the week, for the caller's application. " +
    'Hours that have not begun do not count. When clocks change, an hour may be missing or occur twice; one that occurs twice counts as two.',
  tags: ['Events'],
  sample: { query: 'event=Order paid&mode=totals' },
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
