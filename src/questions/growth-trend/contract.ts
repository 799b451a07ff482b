import { createRoute, z } from '@hono/zod-openapi'
import { handleParam, NO_HANDLE } from '../../accounts/applications/contract.ts'
import { DEMO } from '../../http/api/sample.ts'
import { integerParam } from '../../http/params.ts'
import { AS_OF_HEADERS } from '../engine/as-of.ts'
import { answer, answers, count, FIGURES_HEADERS, label, limitParam } from '../engine/contract.ts'

/** How many days ago the days of the overview are. */
export const DAYS_AGO = { today: 0, yesterday: 1, weekAgo: 7, monthAgo: 30 } as const

const users = (when: string, example: number) => count(`Monthly active users ${when}.`, example)

const change = (since: string, example: number) =>
  z.number().openapi({
    description: `Change since ${since}, in percent, not rounded. From zero it is 100 if there are users today, else 0.`,
    example,
  })

const GrowthTrendEntry = z
  .object({
    handle: label('Handle without the at-sign.', 'lemon_shop_bot'),
    link: label('The `link` of the registration.', 'https://t.me/lemon_shop_bot/app'),
    name: label('Name of the application.', 'Lemon Shop'),
    profile_photo: label('The `photo_url` of the registration.', 'https://example.org/lemon.png'),
    today_users: users('today', 1523),
    yesterday_users: users('yesterday', 1531),
    week_ago_users: users(`${DAYS_AGO.weekAgo} days ago`, 1468),
    month_ago_users: users(`${DAYS_AGO.monthAgo} days ago`, 1396),
    yesterday_change: change('yesterday', -0.5225342913128674),
    week_ago_change: change(`${DAYS_AGO.weekAgo} days ago`, 3.746594005449591),
    month_ago_change: change(`${DAYS_AGO.monthAgo} days ago`, 9.097421203438396),
    avg_daily_users_gained: z
      .number()
      .openapi({ description: `(today_users - month_ago_users) / ${DAYS_AGO.monthAgo}`, example: 4.233333333333333 }),
  })
  .openapi('GrowthTrendEntry', { description: 'One application.' })

export type GrowthTrendEntry = z.output<typeof GrowthTrendEntry>

const GrowthTrend = answer('GrowthTrend', {
  data: z.array(GrowthTrendEntry).openapi({ description: 'Most users today first, then by handle.' }),
})

export const getGrowthTrend = createRoute({
  method: 'get',
  path: '/monthly-active-users/growth-trend',
  operationId: 'getGrowthTrend',
  summary: 'Growth trend',
  description:
    'Monthly active users of all applications, and how they changed since yesterday, a week ago and a month ago. Most users today first, then by handle.',
  tags: ['Active users'],
  sample: { query: 'limit=2' },
  request: {
    query: z.object({
      limit: limitParam(1000, 100, 'Applications per page.'),
      offset: integerParam({ min: 0 }).default(0).openapi({ description: 'Applications to skip.' }),
    }),
  },
  responses: answers(GrowthTrend, 'One page of applications.', {}, AS_OF_HEADERS),
})

const ApplicationGrowth = answer('ApplicationGrowth', { data: GrowthTrendEntry })

export const getApplicationGrowth = createRoute({
  method: 'get',
  path: '/monthly-active-users/growth-trend/{handle}',
  operationId: 'getApplicationGrowth',
  summary: 'Growth of one application',
  description:
    "One application's entry of the growth trend: its monthly active users, and how they changed since yesterday, a week ago and a month ago. " +
    'Any valid key may read any application.',
  tags: ['Active users'],
  sample: { path: { handle: DEMO.handle } },
  request: { params: z.object({ handle: handleParam }) },
  responses: answers(ApplicationGrowth, 'The application.', { 404: NO_HANDLE }, FIGURES_HEADERS),
})
