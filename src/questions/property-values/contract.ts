import { createRoute, z } from '@hono/zod-openapi'
import { TEXT_CHARACTERS } from '../../base/text/text.ts'
import { booleanParam, text } from '../../http/params.ts'
import { answers, count, label, limitParam, listAnswer } from '../engine/contract.ts'
import { periodParams } from '../engine/period.ts'
import { filtersParam, propertyParam } from '../filters/contract.ts'

const PropertyValue = z
  .object({
    value: label('The value as text, as filters compare it.', 'stars'),
    events: count('Events in the period that have the value and pass `filters`.', 127),
    users: count('Distinct users of these events.', 118),
  })
  .openapi('PropertyValue')

const PropertyValues = listAnswer('PropertyValues', {
  property: label('The main name of the property.', 'params.method'),
  total: count('Number of all values, including those beyond the limit.', 2),
  data: z.array(PropertyValue).openapi({ description: 'Most events first, then by value.' }),
})

export const listPropertyValues = createRoute({
  method: 'get',
  path: '/properties/{property}/values',
  operationId: 'listPropertyValues',
  summary: 'Values of a property',
  description:
    "Values of a property on events of the caller's application in the period, with the events and distinct users of each. Use them as `values` of a filter. " +
    'Events that do not pass `filters` do not count; events without the property only with `missing`.',
  tags: ['Events'],
  sample: { path: { property: 'params.method' } },
  request: {
    params: z.object({ property: propertyParam }),
    query: z.object({
      contains: text({ min: 0, max: TEXT_CHARACTERS }).default('').openapi({
        description: 'Only values that contain this text; case-sensitive.',
        example: 'star',
      }),
      missing: booleanParam().default(false).openapi({
        description: 'Whether events without the property count, too, as the value `(none)`; not with `contains`.',
      }),
      limit: limitParam(1000, 20, 'Maximum number of values.'),
      filters: filtersParam,
      ...periodParams,
    }),
  },
  responses: answers(PropertyValues, 'Values.'),
})
