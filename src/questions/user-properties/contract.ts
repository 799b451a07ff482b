import { createRoute, z } from '@hono/zod-openapi'
import { answer, answers, figuresOf, limitParam, Series } from '../engine/contract.ts'
import { periodParams } from '../engine/period.ts'

export const AGGREGATION_PARAMS = ['language', 'is_premium', 'os', 'brand', 'country', 'start_parameter'] as const

export type AggregationParam = (typeof AGGREGATION_PARAMS)[number]

const AggregatedSegmentation = answer('AggregatedSegmentation', {
  selected_property: z.enum(AGGREGATION_PARAMS).openapi({ description: 'The property by which users are counted.' }),
  data: Series.openapi({ description: 'The values and the users of each.' }),
})

export const aggregateUsers = createRoute({
  method: 'get',
  path: '/users/segmentation/aggregated',
  operationId: 'aggregateUsers',
  summary: 'User segmentation',
  description:
    "Users of the caller's application who were active in the period, counted by one property. " +
    'Each user counts once, by the value on their latest event in the period. Most users first, ties by value. ' +
    '`(none)` stands for a missing value. `xValues` holds the values, `yValues` one series named `users`.',
  tags: ['Users'],
  sample: { query: 'aggregation_param=country&returned_values_limit=5' },
  request: {
    query: z.object({
      aggregation_param: z
        .enum(AGGREGATION_PARAMS)
        .default('language')
        .openapi({ description: 'The property by which to count users.' }),
      returned_values_limit: limitParam(100, 20, 'Maximum number of values.'),
      ...periodParams,
    }),
  },
  responses: answers(AggregatedSegmentation, 'Values and users.'),
})

/** Users with a value, or all. */
export const propertyFigures = figuresOf(aggregateUsers, z.strictObject({ value: z.string().optional() }))
