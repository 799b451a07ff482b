import { createRoute, z } from '@hono/zod-openapi'
import { integerParam } from '../../http/params.ts'
import {
  answers,
  count,
  eventParam,
  figuresOf,
  label,
  limitParam,
  listAnswer,
  percentage,
  timeZoneField,
} from '../engine/contract.ts'
import { periodParams } from '../engine/period.ts'
import { filtersParam, userPropertyParam } from '../filters/contract.ts'
import { currencyParam, NO_CURRENCY } from '../revenue/contract.ts'

/** The days of 24 hours after a user's first event in which an event activates them. */
export const ACTIVATION_DAYS = 7
/** Groups with fewer users differ by chance, so they are neither compared nor flagged as unusual. */
export const LEAST_USERS = 50

export const UNUSUAL_FIGURES = ['single_event', 'peak_per_minute'] as const

const AcquisitionRow = z
  .object({
    name: label('The value; `(none)` if it is missing. In `all`: `all`.', 'referral'),
    users: count('New users.', 412),
    activated: percentage(
      `Users with an \`activation_event\` within ${ACTIVATION_DAYS} days of their first event. Null without \`activation_event\`.`,
      61.2,
    ),
    d1: percentage(
      'Users active on day 1, the day after their first event, among users for whom that day is over. Null if there are none.',
      38.5,
    ),
    d7: percentage('The same for day 7.', 21.7),
    d30: percentage('The same for day 30.', 12.1),
    verified: percentage('Users whose latest event is verified.', 0),
    premium: percentage('Users who were premium on their latest event.', 33.1),
    single_event: percentage('Users with exactly one event ever.', 8.9),
    sessions_per_user: z
      .number()
      .nullable()
      .openapi({ description: 'Sessions up to now, per user; not rounded. Null without users.', example: 4.25 }),
    median_session_seconds: z
      .number()
      .nullable()
      .openapi({ description: 'Median length of these sessions. Null if there are none.', example: 141.5 }),
    payers: percentage('Users who have ever paid in the currency.', 5.6),
    net: z.number().openapi({ description: 'Their payments less refunds up to now, in the currency.', example: 4250 }),
    peak_per_minute: count('The most new users in one UTC minute.', 4),
    unusual: z
      .array(z.enum(UNUSUAL_FIGURES))
      .optional()
      .openapi({
        description: `Figures more than three interquartile ranges above the third quartile of all groups with at least ${LEAST_USERS} users, which may indicate fake users. Absent if there are none.`,
        example: ['single_event'],
      }),
  })
  .openapi('AcquisitionRow', { description: 'The new users of a group, or of all groups, and what became of them.' })

export type AcquisitionRow = z.output<typeof AcquisitionRow>

const Acquisition = listAnswer('Acquisition', {
  limit: count('Groups per page.', 100),
  offset: count('Groups skipped.', 0),
  total: count('Groups on all pages.', 12),
  groups_total: count('Equals `total`; other answers with groups have it, too.', 12),
  currency: label('The currency of `payers` and `net`.', 'XTR'),
  all: AcquisitionRow,
  data: z.array(AcquisitionRow).openapi({ description: 'Most users first, ties by name.' }),
  time_zone: timeZoneField,
})

export const getAcquisition = createRoute({
  method: 'get',
  path: '/acquisition',
  operationId: 'getAcquisition',
  summary: 'Acquisition',
  description:
    "New users of the caller's application (those whose first event is in the period) by source or another user property, and what they have done since. `filters` look at a user's first event. Largest groups first, ties by name.",
  tags: ['Users'],
  sample: { query: 'activation_event=Order paid&limit=3&offset=4' },
  request: {
    query: z.object({
      by: userPropertyParam.prefault('source').openapi({ default: 'source' }),
      activation_event: eventParam
        .optional()
        .openapi({ description: 'The event that marks a user as activated.', example: 'Order paid' }),
      currency: currencyParam,
      filters: filtersParam,
      limit: limitParam(1000, 100, 'Groups per page.'),
      offset: integerParam({ min: 0, max: 100_000 }).default(0).openapi({ description: 'Groups to skip.' }),
      ...periodParams,
    }),
  },
  responses: answers(Acquisition, 'One page of groups.'),
})

const FIGURES = ['users', 'activated', 'd1', 'd7', 'd30', 'verified', 'premium', 'single_event', 'payers'] as const

export type AcquiredFigure = (typeof FIGURES)[number]

/** New users of a group, or of all, of whom this is true. */
export const acquisitionFigures = figuresOf(
  getAcquisition,
  z.strictObject({ figure: z.enum(FIGURES).default('users'), group: z.string().optional() }),
  ({ activation_event: activation, currency }, { figure }) => {
    if (figure === 'payers' && currency === undefined) return NO_CURRENCY
    return figure === 'activated' && activation === undefined ? "The question should have an 'activation_event'" : null
  },
)
