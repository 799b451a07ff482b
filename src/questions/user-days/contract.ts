import { createRoute, z } from '@hono/zod-openapi'
import { envelope } from '../../http/api/answers.ts'
import { DEMO } from '../../http/api/sample.ts'
import { answers, count, label, Series, telegramIdParam, UNKNOWN_USER } from '../engine/contract.ts'
import { periodParams } from '../engine/period.ts'
import { MAX_NAMES } from './user-days.ts'

const UserDays = Series.extend({
  ...envelope,
  names: z
    .array(z.object({ name: label('Name of the event.', 'Order paid'), events: count('How often they did it.', 3) }))
    .openapi({
      description: `What the user did in the period: most frequent first, ties by name, at most ${MAX_NAMES}.`,
    }),
}).openapi('UserDays')

export const listUserDays = createRoute({
  method: 'get',
  path: '/users/{telegram_id}/days',
  operationId: 'listUserDays',
  summary: "A user's days",
  description:
    "How many events a user of the caller's application had on each day of a period, and how many of each name. " +
    '`xValues` holds the days, `yValues` one series named `events`; its `key_value` is the total of the period.',
  tags: ['Users'],
  sample: { path: { telegram_id: DEMO.user }, query: 'start=20261109&end=20261115' },
  request: { params: z.object({ telegram_id: telegramIdParam }), query: z.object(periodParams) },
  responses: answers(UserDays, 'Days and events.', { 404: UNKNOWN_USER }),
})
