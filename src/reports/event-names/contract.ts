import { createRoute, z } from '@hono/zod-openapi'
import { NO_APPLICATION } from '../../accounts/contract.ts'
import { envelope, jsonAnswer, problems } from '../../api/answers.ts'
import { integerParam, text } from '../../http/params.ts'
import { ANSWER_HEADERS } from '../answer-headers.ts'
import { filtersParam } from '../filters/contract.ts'
import { periodParams } from '../period.ts'

const EventName = z
  .object({
    name: z.string().openapi({ description: 'As it is kept.', example: 'Order paid' }),
    events: z.number().int().openapi({ description: 'In the period, of those that pass `filters`.', example: 326 }),
    users: z.number().int().openapi({ description: 'Distinct users of these events.', example: 164 }),
    first_seen_at: z.iso.datetime().openapi({
      description: 'Time of the first event of the name of all time, whatever the filters; UTC.',
      example: '2026-08-24T00:40:13.022Z',
    }),
    last_seen_at: z.iso.datetime().openapi({
      description: 'Time of the latest event of the name of all time, whatever the filters; UTC.',
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

/** A name has no more characters. */
const MAX_CONTAINED_CHARACTERS = 255

export const listEventNames = createRoute({
  method: 'get',
  path: '/events/names',
  operationId: 'listEventNames',
  summary: 'Event names',
  description:
    "The names of events of the caller's application that occurred in the period, with how many events and distinct users each has in it: what `event` and `events` of other operations can be. " +
    'With `filters` only events that pass are counted, and a name without any in the period is left out. Most events first, then by name.',
  tags: ['Events'],
  request: {
    query: z.object({
      contains: text({ min: 0, max: MAX_CONTAINED_CHARACTERS }).default('').openapi({
        description: 'Only names that have this text somewhere in them; upper and lower case differ.',
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
