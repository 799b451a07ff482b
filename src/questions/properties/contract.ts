import { createRoute, z } from '@hono/zod-openapi'
import { NO_APPLICATION } from '../../access/refusals.ts'
import { envelope, jsonAnswer, problems } from '../../http/api/answers.ts'
import { integerParam } from '../../http/params.ts'
import { ANSWER_HEADERS } from '../answer-headers.ts'
import { periodParams } from '../period.ts'

const Property = z
  .object({
    property: z
      .string()
      .openapi({ description: 'Name of the property in `filters` and `group_by`.', example: 'params.order_total' }),
    events: z.number().int().openapi({ description: 'Events in the period that have the property.', example: 164 }),
  })
  .openapi('Property')

const Properties = z
  .object({
    ...envelope,
    total: z
      .number()
      .int()
      .openapi({ description: 'Number of all properties, including those beyond the limit.', example: 29 }),
    data: z.array(Property).openapi({
      description:
        "The properties that every event may have, in a fixed order; then the events' own parameters, most events first, then by name.",
    }),
  })
  .openapi('Properties')

const MAX_PARAMETERS = 10_000

export const listProperties = createRoute({
  method: 'get',
  path: '/properties',
  operationId: 'listProperties',
  summary: 'Properties',
  description:
    "The properties by which you can filter and group events of the caller's application: those that every event may have (even if none has them), and `params.<name>` for each parameter of the events in the period.",
  tags: ['Events'],
  request: {
    query: z.object({
      limit: integerParam({ min: 1, max: MAX_PARAMETERS })
        .default(1000)
        .openapi({ description: "Maximum number of the events' own parameters." }),
      ...periodParams,
    }),
  },
  responses: {
    200: jsonAnswer(Properties, 'Properties.', ANSWER_HEADERS),
    ...problems({ 404: NO_APPLICATION }),
  },
})
