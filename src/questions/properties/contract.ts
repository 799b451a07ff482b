import { createRoute, z } from '@hono/zod-openapi'
import { answers, count, eventParam, label, limitParam, listAnswer } from '../engine/contract.ts'
import { periodParams } from '../engine/period.ts'

const Property = z
  .object({
    property: label('Name of the property in `filters` and `group_by`.', 'params.order_total'),
    events: count('Events in the period that have the property.', 164),
  })
  .openapi('Property')

const Properties = listAnswer('Properties', {
  total: count('Number of all properties, including those beyond the limit.', 29),
  data: z.array(Property).openapi({
    description:
      "The properties that every event may have, in a fixed order; then the events' own parameters, most events first, then by name.",
  }),
})

const MAX_PARAMETERS = 10_000

export const listProperties = createRoute({
  method: 'get',
  path: '/properties',
  operationId: 'listProperties',
  summary: 'Properties',
  description:
    "The properties by which you can filter and group events of the caller's application: those that every event may have (even if none has them), and `params.<name>` for each parameter of the events in the period.",
  tags: ['Events'],
  sample: { query: 'limit=5' },
  request: {
    query: z.object({
      limit: limitParam(MAX_PARAMETERS, 1000, "Maximum number of the events' own parameters."),
      event: eventParam.optional().openapi({
        description: 'Only count events of this name; `_active` (the default) stands for any.',
        example: 'Order paid',
      }),
      ...periodParams,
    }),
  },
  responses: answers(Properties, 'Properties.'),
})
