import { createRoute, z } from '@hono/zod-openapi'
import { MAX_GROUPS } from '../../columns/selection/filter.ts'
import { issue, reject } from '../../http/params.ts'
import {
  answer,
  answers,
  count,
  dayCell,
  figuresOf,
  groupCell,
  groupsTotal,
  label,
  NumberSeries,
  otherGroups,
  Series,
} from '../engine/contract.ts'
import { periodParams } from '../engine/period.ts'
import { filtersParam, groupByOneParam } from '../filters/contract.ts'
import { CODE_CHARACTERS, CURRENCY_PATTERN } from '../revenue-rules/currency-code.ts'
import { toCurrency } from './currency.ts'

/** The most currencies that an answer lists. */
export const MAX_CURRENCIES = 100

/** What a question is asked about if nothing was paid: the messenger's Stars. */
export const NOTHING_PAID_CURRENCY = 'XTR'

export const currencyParam = z
  .unknown()
  .transform((value, context): string => {
    const code = typeof value === 'string' ? toCurrency(value) : null
    return code ?? reject(context, issue('value_error', `Input should be a code of ${CODE_CHARACTERS}`))
  })
  .optional()
  .openapi({
    type: 'string',
    pattern: CURRENCY_PATTERN.source,
    description:
      'The currency, in any case. By default, the one with the most payments in the period (ties by code), or `XTR` if there are none.',
    example: 'XTR',
  })

const MoneySeries = z
  .object({
    ...NumberSeries.shape,
    total: z.number().openapi({
      description: 'The figure for the whole period, not rounded; `key_value` is rounded from it.',
      example: 12450.5,
    }),
  })
  .openapi('MoneySeries', { description: 'Figures in major units, one for each item of `xValues`.' })

export type MoneySeries = z.output<typeof MoneySeries>

const series = z.array(MoneySeries).openapi({
  description:
    'In this order: `net` (`gross` less `refunds`), `gross` (sales and renewals), `refunds` (on the day of the refund), `payments` (the number of sales and renewals), ' +
    '`payers` (distinct users with a payment), `new_payers` (users whose first payment ever, in any currency, is on that day and in this currency), ' +
    '`arpu` (`net` per active user of that day), `arppu` (`net` per payer).',
})

/** What was skipped, and which currencies there are. */
export const currencyFields = {
  currency: label('The currency of the answer.', 'XTR'),
  currencies: z
    .array(
      z.object({
        currency: label('Code of the currency.', 'XTR'),
        payments: count('Sales and renewals in it.', 87),
        net: z.number().openapi({ description: 'Net revenue in it, in major units.', example: 12450.5 }),
      }),
    )
    .openapi({
      description: `The currencies of the period, at most ${MAX_CURRENCIES}: those with the most payments, ties by code. They are never added together.`,
    }),
  skipped: count(
    'Events of the period that match a revenue rule but are left out because their amount is not a number or is negative, or their currency is missing.',
    0,
  ),
}

const RevenueAnswer = answer('Revenue', {
  xValues: Series.shape.xValues,
  yValues: series,
  time_zone: Series.shape.time_zone,
  ...currencyFields,
  groupBy: label('The property to group by; empty without `group_by`.'),
  groups: z.array(z.object({ name: label('The value; `(none)` if it is missing.'), yValues: series })).openapi({
    description: `The ${MAX_GROUPS} groups with the largest gross, ties by name. Empty without \`group_by\`.`,
  }),
  groups_total: groupsTotal,
  other: otherGroups(
    z.object({
      name: label('Always `other`.'),
      yValues: z.array(MoneySeries).openapi({ description: '`net`, `gross`, `refunds` and `payments`.' }),
    }),
  ),
})

export const getRevenue = createRoute({
  method: 'get',
  path: '/revenue',
  operationId: 'getRevenue',
  summary: 'Revenue',
  description:
    "What users of the caller's application pay, day by day, in one currency and its major unit, according to the application's revenue rules. Sums are exact in decimal. " +
    '`key_value` and `total` are the figure for the whole period: distinct users in `payers`, and ratios of sums in `arpu` and `arppu`. ' +
    'Filters and groups look at payments and refunds; `arpu` divides by all active users.',
  tags: ['Revenue'],
  request: {
    query: z.object({
      currency: currencyParam,
      filters: filtersParam,
      group_by: groupByOneParam(`the ${MAX_GROUPS} groups with the largest gross`),
      ...periodParams,
    }),
  },
  responses: answers(RevenueAnswer, 'Revenue by day.'),
})

/** The default depends on what was paid until the question is asked. */
export const NO_CURRENCY = "The question should have a 'currency'"

/** Users who paid on a day, or in the period. */
export const revenueFigures = figuresOf(
  getRevenue,
  z.strictObject({ series: z.enum(['payers', 'new_payers']).default('payers'), day: dayCell, group: groupCell }),
  ({ currency }) => (currency === undefined ? NO_CURRENCY : null),
)
