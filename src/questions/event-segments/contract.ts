import { createRoute, z } from '@hono/zod-openapi'
import { envelope } from '../../http/api/answers.ts'
import { answers, eventParam, Series } from '../contract.ts'
import { filtersParam, groupByParam } from '../filters/contract.ts'
import { periodParams } from '../period.ts'

const MODES = ['uniques', 'totals', 'average', 'pct_dau'] as const

export type SegmentationMode = (typeof MODES)[number]

const EventSegmentation = Series.extend(envelope).openapi('EventSegmentation')

const eventName = eventParam.optional()

const query = z
  .object({
    event: eventName.openapi({
      description: 'Name of the event; `_active` stands for any event. Required unless you send `event_type`.',
      example: 'Lemon bought',
      param: { required: true },
    }),
    event_type: eventName.openapi({ description: 'Another name for `event`.', example: 'Lemon bought' }),
    mode: z.enum(MODES).default('uniques').openapi({
      description:
        'What to count each day. `uniques`: distinct users. `totals`: events. `average`: events per user. `pct_dau`: users of this event as a percentage of all active users.',
    }),
    filters: filtersParam,
    group_by: groupByParam,
    ...periodParams,
  })
  .refine(({ event, event_type: eventType }) => event !== undefined || eventType !== undefined, {
    path: ['event'],
    message: 'Field required',
    params: { type: 'missing' },
    when: () => true,
  })

export const segmentEvents = createRoute({
  method: 'get',
  path: '/events/segmentation',
  operationId: 'segmentEvents',
  summary: 'Event segmentation',
  description:
    "An event of the caller's application, counted day by day. " +
    '`xValues` holds the days of the period, `yValues` one series named after the event, or one per group (the 20 with the largest `key_value`; ties by name). ' +
    '`key_value` is the figure for the whole period: distinct users in `uniques` (not the sum of the days), events in `totals`, the rounded ratio in `average` and `pct_dau`. ' +
    'An event that never occurred is not an error: the series are empty.',
  tags: ['Events'],
  request: { query },
  responses: answers(EventSegmentation, 'Days and figures.'),
})
