import { createRoute, z } from '@hono/zod-openapi'
import { NO_APPLICATION } from '../../access/refusals.ts'
import { envelope, jsonAnswer, problems } from '../../http/api/answers.ts'
import { integerParam, text } from '../../http/params.ts'
import { ANSWER_HEADERS } from '../answer-headers.ts'
import { filtersParam, propertyParam } from '../filters/contract.ts'
import { periodParams } from '../period.ts'

const PropertyValue = z
  .object({
    value: z.string().openapi({ description: 'The value as text, as filters compare it.', example: 'stars' }),
    events: z
      .number()
      .int()
      .openapi({ description: 'Events in the period that have the value and pass `filters`.', example: 127 }),
    users: z.number().int().openapi({ description: 'Distinct users of these events.', example: 118 }),
  })
  .openapi('PropertyValue')

const PropertyValues = z
  .object({
    ...envelope,
    property: z.string().openapi({ description: 'The main name of the property.', example: 'params.method' }),
    total: z
      .number()
      .int()
      .openapi({ description: 'Number of all values, including those beyond the limit.', example: 2 }),
    data: z.array(PropertyValue).openapi({ description: 'Most events first, then by value.' }),
  })
  .openapi('PropertyValues')

/** The longest text in an event's parameters has this many characters. */
const MAX_CONTAINED_CHARACTERS = 1024

export const listPropertyValues = createRoute({
  method: 'get',
  path: '/properties/{property}/values',
  operationId: 'listPropertyValues',
  summary: 'Values of a property',
  description:
    "Values of a property on events of the caller's application in the period, with the events and distinct users of each. Use them as `values` of a filter. " +
    'Events without the property, and events that do not pass `filters`, do not count.',
  tags: ['Events'],
  request: {
    params: z.object({ property: propertyParam }),
    query: z.object({
      contains: text({ min: 0, max: MAX_CONTAINED_CHARACTERS }).default('').openapi({
        description: 'Only values that contain this text; case-sensitive.',
        example: 'star',
      }),
      limit: integerParam({ min: 1, max: 1000 }).default(20).openapi({ description: 'Maximum number of values.' }),
      filters: filtersParam,
      ...periodParams,
    }),
  },
  responses: {
    200: jsonAnswer(PropertyValues, 'Values.', ANSWER_HEADERS),
    ...problems({ 404: NO_APPLICATION }),
  },
})
