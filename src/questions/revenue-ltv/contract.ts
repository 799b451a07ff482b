import { createRoute, z } from '@hono/zod-openapi'
import { MAX_GROUPS } from '../../columns/selection/filter.ts'
import { answer, answers, count, figuresOf, groupsTotal, label } from '../engine/contract.ts'
import { filtersParam, groupByOneParam } from '../filters/contract.ts'
import { analyzeRetention, cohortCell, cohortSizes, combinedComplete } from '../retention/contract.ts'
import { currencyFields, currencyParam, NO_CURRENCY } from '../revenue/contract.ts'

const matrix = {
  cohorts: cohortSizes,
  ltvMatrix: z.array(z.array(z.string())).openapi({
    description:
      'One row per cohort: what its users paid on average, less refunds, from their first event up to the end of the interval itself, of the next one, and so on; in major units with four decimals.',
    example: [['1.2500', '2.0833'], ['0.9794']],
  }),
  combinedLtv: z.array(z.number()).openapi({
    description:
      'The same for all cohorts together, not rounded. Each figure covers the cohorts whose interval in that position is over; if none of them has users, all cohorts that have a cell there.',
    example: [1.1290322580645162, 2.0833333333333335],
  }),
  combinedComplete,
  payersMatrix: z.array(z.array(z.string())).openapi({
    description:
      'One row per cohort: the percentage of its users who have paid by the end of each interval; with two decimals.',
    example: [['5.00', '7.50'], ['4.12']],
  }),
  totalUsers: count('Users in all cohorts.', 217),
}

const RevenueLtv = answer('RevenueLtv', {
  data: z
    .array(
      z.object({
        ...matrix,
        ...currencyFields,
        groupBy: label('The property to group by; empty without `group_by`.'),
        groups: z
          .array(z.object({ name: label('The value; `(none)` if it is missing.'), ...matrix }).openapi('LtvGroup'))
          .openapi({
            description: `The ${MAX_GROUPS} groups with the most users, ties by name. Empty without \`group_by\`.`,
          }),
        groups_total: groupsTotal,
      }),
    )
    .openapi({ description: 'One item.' }),
})

const { interval, start, end } = analyzeRetention.request.query.shape

export const analyzeRevenueLtv = createRoute({
  method: 'get',
  path: '/revenue/ltv',
  operationId: 'analyzeRevenueLtv',
  summary: 'Lifetime value',
  description:
    "What users of the caller's application have paid since their first event, in one currency, by cohort. " +
    'A cohort is all users with their first event ever in a day, week or month. Filters and groups look at that event. ' +
    'The period is extended to whole intervals. Rows end with the interval that includes today, which is not over yet.',
  tags: ['Revenue'],
  sample: { query: 'interval=week' },
  request: {
    query: z.object({
      interval,
      currency: currencyParam,
      filters: filtersParam,
      group_by: groupByOneParam(`the ${MAX_GROUPS} groups with the most users`),
      start,
      end,
    }),
  },
  responses: answers(RevenueLtv, 'Cohorts and what they paid.'),
})

/** Users of a cohort or, with `offset`, those of them who have paid by then. */
export const ltvFigures = figuresOf(analyzeRevenueLtv, cohortCell, ({ currency }, { offset }) =>
  offset !== undefined && currency === undefined ? NO_CURRENCY : null,
)
