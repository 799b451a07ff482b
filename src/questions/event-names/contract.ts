import { createRoute, z } from '@hono/zod-openapi'
import { NO_APPLICATION } from '../../access/refusals.ts'
import { envelope, jsonAnswer, problems } from '../../http/api/answers.ts'
import { integerParam, text } from '../../http/params.ts'
import { ANSWER_HEADERS } from '../answer-headers.ts'
import { filtersParam } from '../filters/contract.ts'
import { periodParams } from '../period.ts'

const EventName = z
  .object({
    name: z.string().openapi({ description: 'Name of the event, as stored.', example: 'Order paid' }),
    events: z.number().int().openapi({ description: 'Events in the period that pass `filters`.', example: 326 }),
    users: z.number().int().openapi({ description: 'Distinct users of these events.', example: 164 }),
    first_seen_at: z.iso.datetime().openapi({
      description: 'Time (UTC) of the first event ever with this name; filters do not apply.',
      example: '2026-08-24T00:40:13.022Z',
    }),
    last_seen_at: z.iso.datetime().openapi({
      description: 'Time (UTC) of the latest event ever with this name; filters do not apply.',
      example: '2026-11-21T12:54:52.271Z',
    }),
  })
  .openapi('EventName')

const EventNames = z
  .object({
    ...envelope,
    limit: z.number().int().openapi({ description: 'Names per page.', example: 100 }),
    offset: z.number().int().openapi({ description: 'Names skipped.', example: 0 }),
    total: z.number().int().openapi({ description: 'Names on all pages.', example: 28 }),
    data: z.array(EventName).openapi({ description: 'Most events first, then by name.' }),
  })
  .openapi('EventNames')

/** The longest name has this many characters. */
const MAX_CONTAINED_CHARACTERS = 255

export const listEventNames = createRoute({
  method: 'get',
  path: '/events/names',
  operationId: 'listEventNames',
  summary: 'Event names',
  description:
    "Names of the events of the caller's application in the period, with their events and distinct users. Use them as `event` and `events` of other operations. " +
    'With `filters`, only events that pass count, and names without such events are left out. Most events first, then by name.',
  tags: ['Events'],
  request: {
    query: z.object({
      contains: text({ min: 0, max: MAX_CONTAINED_CHARACTERS }).default('').openapi({
        description: 'Only names that contain this text; case-sensitive.',
        example: 'Order',
      }),
      limit: integerParam({ min: 1, max: 1000 }).default(100).openapi({ description: 'Names per page.' }),
      offset: integerParam({ min: 0 }).default(0).openapi({ description: 'Names to skip.' }),
      filters: filtersParam,
      ...periodParams,
    }),
  },
  responses: {
    200: jsonAnswer(EventNames, 'One page of names.', ANSWER_HEADERS),
    ...problems({ 404: NO_APPLICATION }),
  },
})
