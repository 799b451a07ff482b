import { createRoute, z } from '@hono/zod-openapi'
import { DEMO } from '../../http/api/sample.ts'
import { integerParam } from '../../http/params.ts'
import { ACTIVATION_DAYS } from '../acquisition/contract.ts'
import {
  answers,
  count,
  eventParam,
  label,
  limitParam,
  listAnswer,
  moment,
  percentage,
  telegramIdParam,
  timeZoneField,
  UNKNOWN_USER,
} from '../engine/contract.ts'
import { periodParams } from '../engine/period.ts'
import { currencyParam } from '../revenue/contract.ts'

/** The days of 24 hours after an inviter's first event in which invitations count towards `k_factor`. */
export const INVITING_DAYS = 30
/** The most inviters that an answer lists. */
export const MOST_INVITERS = 100

const InviterRow = z
  .object({
    telegram_id: count('Messenger id of the inviter.', 7234567890),
    invited: count('Users of the period whom they invited.', 14),
    activated: percentage(
      `Of these, users with an \`activation_event\` within ${ACTIVATION_DAYS} days of their first event. Null without \`activation_event\`.`,
      57.1,
    ),
    d7: percentage(
      'Of these, users active on day 7 after their first event, among users for whom that day is over.',
      28.6,
    ),
    payers: percentage('Of these, users who have ever paid in the currency.', 7.1),
    net: z.number().openapi({ description: 'Their payments less refunds up to now, in the currency.', example: 250 }),
  })
  .openapi('InviterRow', { description: 'An inviter, and what became of the users whom they invited.' })

export type InviterRow = z.output<typeof InviterRow>

const Referrals = listAnswer('Referrals', {
  invited: count('New users whom other users invited.', 85),
  new_users: count('Users whose first event is in the period.', 412),
  share: percentage('Share of `invited` in `new_users`. Null without new users.', 20.6),
  k_factor: z
    .number()
    .nullable()
    .openapi({
      description: `Users whom the new users invited within ${INVITING_DAYS} days of their own first event, per new user; not rounded. Null without new users.`,
      example: 0.31,
    }),
  k_complete: z.boolean().openapi({
    description: `Whether these ${INVITING_DAYS} days are over for all new users. If not, \`k_factor\` may still grow.`,
    example: false,
  }),
  generations: z.array(count('Users.')).openapi({
    description:
      'How many of `invited` are 1, 2, 3, … invitations away from a user whom nobody invited. The hundredth entry includes all beyond it.',
    example: [61, 19, 5],
  }),
  ignored: count(
    'New users whose `referrer` does not count: themselves, a user whose first event is later than theirs, or one who was invited by them in a loop.',
    2,
  ),
  currency: label('The currency of `payers` and `net`.', 'XTR'),
  top: z.array(InviterRow).openapi({
    description: `The ${MOST_INVITERS} inviters with the most invited users, ties by \`telegram_id\`.`,
  }),
  time_zone: timeZoneField,
})

export const getReferrals = createRoute({
  method: 'get',
  path: '/referrals',
  operationId: 'getReferrals',
  summary: 'Referrals',
  description:
    "New users of the caller's application who were invited by other users, and their inviters. " +
    "A user's `referrer`, a part of their start parameter by the rules of sources, is the messenger id of their inviter.",
  tags: ['Users'],
  sample: { query: 'activation_event=Order paid&start=20261121&end=20261121' },
  request: {
    query: z.object({
      activation_event: eventParam
        .optional()
        .openapi({ description: 'The event that marks a user as activated.', example: 'Order paid' }),
      currency: currencyParam,
      ...periodParams,
    }),
  },
  responses: answers(Referrals, 'Referrals of the period.'),
})

const InvitedUser = z
  .object({
    telegram_id: count('Messenger id of the user.', 7234567891),
    first_active_at: moment('Time of their first event, UTC.', '2026-11-12T08:11:22.518Z'),
  })
  .openapi('InvitedUser')

const UserReferrals = listAnswer('UserReferrals', {
  limit: count('Users per page.', 100),
  offset: count('Users skipped.', 0),
  total: count('Users on all pages.', 14),
  invited_by: z.number().int().nullable().openapi({
    description: 'Messenger id of the user who invited this one. Null if nobody did.',
    example: 7234567889,
  }),
  data: z.array(InvitedUser).openapi({ description: 'Users whom this one invited, newest first.' }),
})

export const listUserReferrals = createRoute({
  method: 'get',
  path: '/users/{telegram_id}/referrals',
  operationId: 'listUserReferrals',
  summary: "A user's referrals",
  description: "Who invited a user of the caller's application, and whom this user invited.",
  tags: ['Users'],
  sample: { path: { telegram_id: DEMO.inviter }, query: 'limit=2' },
  request: {
    params: z.object({ telegram_id: telegramIdParam }),
    query: z.object({
      limit: limitParam(1000, 100, 'Users per page.'),
      offset: integerParam({ min: 0, max: 50_000 }).default(0).openapi({ description: 'Users to skip.' }),
    }),
  },
  responses: answers(UserReferrals, 'One page of the invited users.', { 404: UNKNOWN_USER }),
})
