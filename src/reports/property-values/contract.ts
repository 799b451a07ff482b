import { createRoute, z } from '@hono/zod-openapi'
import { NO_APPLICATION } from '../../accounts/contract.ts'
import { envelope, jsonAnswer, problems } from '../../api/answers.ts'
import { integerParam, text } from '../../http/params.ts'
import { ANSWER_HEADERS } from '../answer-headers.ts'
import { filtersParam, propertyParam } from '../filters/contract.ts'
import { periodParams } from '../period.ts'

const PropertyValue = z
  .object({
    value: z.string().openapi({ description: 'As a text, as filters compare it.', example: 'stars' }),
    events: z
      .number()
      .int()
      .openapi({ description: 'Events of the period that have it and pass `filters`.', example: 127 }),
    users: z.number().int().openapi({ description: 'Distinct users of these events.', example: 118 }),
  })
  .openapi('PropertyValue')

const PropertyValues = z
  .object({
    ...envelope,
    property: z.string().openapi({ description: 'The property, by its first name.', example: 'params.method' }),
    total: z.number().int().openapi({ description: 'Values in all, also those beyond the limit.', example: 2 }),
    data: z.array(PropertyValue).openapi({ description: 'Most events first, then by value.' }),
  })
  .openapi('PropertyValues')

/** A text of an event's parameters has no more characters. */
const MAX_CONTAINED_CHARACTERS = 1024

export const listPropertyValues = createRoute({
  method: 'get',
  path: '/properties/{property}/values',
  operationId: 'listPropertyValues',
  summary: 'Values of a property',
  description:
    "The values that a property has on events of the caller's application in the period, with how many events and distinct users have each: what `values` of a filter can be. " +
    'Events that lack the property, or do not pass `filters`, are not counted.',
  tags: ['Events'],
  request: {
    params: z.object({ property: propertyParam }),
    query: z.object({
      contains: text({ min: 0, max: MAX_CONTAINED_CHARACTERS }).default('').openapi({
        description: 'Only values that have this text somewhere in them; upper and lower case differ.',
        example: 'star',
      }),
      limit: integerParam({ min: 1, max: 1000 }).default(20).openapi({ description: 'At most so many values.' }),
      filters: filtersParam,
      ...periodParams,
    }),
  },
  responses: {
    200: jsonAnswer(PropertyValues, 'Values.', ANSWER_HEADERS),
    ...problems({ 404: NO_APPLICATION }),
  },
})
