import { createRoute, z } from '@hono/zod-openapi'
import { OTHER_PLAN } from '../../access/refusals.ts'
import { handleParam, NO_OWN_HANDLE } from '../../accounts/applications/contract.ts'
import { jsonAnswer, problems } from '../../http/api/answers.ts'
import { DEMO } from '../../http/api/sample.ts'
import { answer, count, FIGURES_HEADERS, label, moment } from '../engine/contract.ts'

/** The days of an answer, today included. */
export const PREMIUM_DAYS = 60

const PremiumDistribution = answer('PremiumDistribution', {
  handle: label('Handle without the at-sign.', 'lemon_shop_bot'),
  data: z
    .array(
      z.object({
        date: moment('The date, with `T00:00:00Z` behind it.', '2026-11-20T00:00:00Z'),
        premium_users: count('Users with premium.', 10),
        non_premium_users: count('All other users of the day.', 136),
      }),
    )
    .openapi({
      description: `The users active on each of the last ${PREMIUM_DAYS} days, oldest first, ending today. The last event of the day decides whether a user has premium.`,
    }),
})

export const getPremiumDistribution = createRoute({
  method: 'get',
  path: '/enterprise/{handle}/premium-timeseries',
  operationId: 'getPremiumDistribution',
  summary: 'Premium distribution',
  description:
    "Premium and non-premium users of one of the caller's applications, day by day. Needs the plan `enterprise`.",
  tags: ['Enterprise'],
  sample: { path: { handle: DEMO.handle } },
  request: { params: z.object({ handle: handleParam }) },
  responses: {
    200: jsonAnswer(PremiumDistribution, `The last ${PREMIUM_DAYS} days.`, FIGURES_HEADERS),
    ...problems({ 403: OTHER_PLAN, 404: NO_OWN_HANDLE }),
  },
})

export const listAvailableHandles = createRoute({
  method: 'get',
  path: '/enterprise/available-handles',
  operationId: 'listAvailableHandles',
  summary: 'Available handles',
  description:
    "Handles of the caller's applications, for use in the other enterprise operations. Needs the plan `enterprise`.",
  tags: ['Enterprise'],
  responses: {
    200: jsonAnswer(
      z.array(z.string().openapi({ example: 'lemon_shop_bot' })),
      'Handles without the at-sign, in order.',
    ),
    ...problems({ 403: OTHER_PLAN }),
  },
})
