import { createRoute, z } from '@hono/zod-openapi'
import { handleParam, NO_HANDLE } from '../../accounts/applications/contract.ts'
import { DEMO } from '../../http/api/sample.ts'
import { answer, answers, FIGURES_HEADERS, label, limitParam } from '../engine/contract.ts'
import { MONTH_DAYS } from '../rollups/daily-figures.ts'

const MonthlyActiveUsers = answer('MonthlyActiveUsers', {
  name: label('Name of the application.', 'Lemon Shop'),
  handle: label('Handle without the at-sign.', 'lemon_shop_bot'),
  link: label('The `link` of the registration.', 'https://t.me/lemon_shop_bot/app'),
  timeseries_data: z.record(z.string(), z.number().int()).openapi({
    description: `For each date (\`YYYY-MM-DD\`, oldest first), the distinct users of the ${MONTH_DAYS} days that end with it.`,
    example: { '2026-11-19': 1840, '2026-11-20': 1852 },
  }),
})

export const getMonthlyActiveUsers = createRoute({
  method: 'get',
  path: '/monthly-active-users/timeseries/{handle}',
  operationId: 'getMonthlyActiveUsers',
  summary: 'Monthly active users',
  description:
    'Monthly active users (MAU) of one application, day by day, for the last `days` days including today. Any valid key may read any application.',
  tags: ['Active users'],
  sample: { path: { handle: DEMO.handle }, query: 'days=7' },
  request: {
    params: z.object({ handle: handleParam }),
    query: z.object({
      days: limitParam(3650, 30, 'Number of days, ending today.'),
    }),
  },
  responses: answers(MonthlyActiveUsers, 'The timeseries.', { 404: NO_HANDLE }, FIGURES_HEADERS),
})
