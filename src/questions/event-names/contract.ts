import { createRoute, z } from '@hono/zod-openapi'
import { NAME_CHARACTERS } from '../../base/text/text.ts'
import { integerParam, text } from '../../http/params.ts'
import { answers, count, figuresOf, label, limitParam, listAnswer, moment } from '../engine/contract.ts'
import { periodParams } from '../engine/period.ts'
import { filtersParam } from '../filters/contract.ts'

const EventName = z
  .object({
    name: label('Name of the event, as stored.', 'Order paid'),
    events: count('Events in the period that pass `filters`.', 326),
    users: count('Distinct users of these events.', 164),
    first_seen_at: moment(
      'Time (UTC) of the first event ever with this name; filters do not apply.',
      '2026-08-24T00:40:13.022Z',
    ),
    last_seen_at: moment(
      'Time (UTC) of the latest event ever with this name; filters do not apply.',
      '2026-11-21T12:54:52.271Z',
    ),
  })
  .openapi('EventName')

const EventNames = listAnswer('EventNames', {
  limit: count('Names per page.', 100),
  offset: count('Names skipped.', 0),
  total: count('Names on all pages.', 28),
  data: z.array(EventName).openapi({ description: 'Most events first, then by name.' }),
})

export const listEventNames = createRoute({
  method: 'get',
  path: '/events/names',
  operationId: 'listEventNames',
  summary: 'Event names',
  description:
    "Names of the events of the caller's application in the period, with their events and distinct users. Use them as `event` and `events` of other operations. " +
    'With `filters`, only events that pass count, and names without such events are left out. Most events first, then by name.',
  tags: ['Events'],
  sample: { query: 'limit=3' },
  request: {
    query: z.object({
      contains: text({ min: 0, max: NAME_CHARACTERS }).default('').openapi({
        description: 'Only names that contain this text; case-sensitive.',
        example: 'Order',
      }),
      limit: limitParam(1000, 100, 'Names per page.'),
      offset: integerParam({ min: 0 }).default(0).openapi({ description: 'Names to skip.' }),
      filters: filtersParam,
      ...periodParams,
    }),
  },
  responses: answers(EventNames, 'One page of names.'),
})

/** Users of a name. */
export const nameFigures = figuresOf(listEventNames, z.strictObject({ name: z.string() }))
