import { createRoute, z } from '@hono/zod-openapi'
import { OTHER_PLAN } from '../../access/refusals.ts'
import { handleParam, NO_OWN_HANDLE } from '../../accounts/applications/contract.ts'
import { DEFAULT_PERIOD_DAYS } from '../../base/time/period.ts'
import { SESSION_GAP_MINUTES } from '../../columns/selection/sessions.ts'
import { DEMO } from '../../http/api/sample.ts'
import { answer, answers, count, label } from '../engine/contract.ts'

const users = (who: string, example: number) => count(`Users ${who}.`, example)

const EnterpriseSummary = answer('EnterpriseSummary', {
  data: z
    .object({
      premium_users: users('with premium, according to their last event', 155),
      non_premium_users: users('without premium, or for whom it is not known', 1285),
      zero_to_five_seconds: users('whose sessions are shorter than 5 seconds on average', 180),
      five_to_ten_seconds: users('whose sessions take from 5 to less than 10 seconds on average', 150),
      eleven_to_sixty_seconds: users('whose sessions take from 10 to less than 60 seconds on average', 900),
      one_to_five_minutes: users('whose sessions take from 60 to less than 300 seconds on average', 200),
      five_plus_minutes: users('whose sessions take 300 seconds or more on average', 0),
    })
    .openapi({ description: `Users active in the last ${DEFAULT_PERIOD_DAYS} days, including today.` }),
  handle: label('Handle without the at-sign.', 'lemon_shop_bot'),
})

export const getEnterpriseSummary = createRoute({
  method: 'get',
  path: '/enterprise/{handle}',
  operationId: 'getEnterpriseSummary',
  summary: 'Enterprise summary',
  description:
    `Users of one of the caller's applications who were active in the last ${DEFAULT_PERIOD_DAYS} days, by premium and by the average length of their sessions that began in these days. ` +
    `A session is a sequence of events of a user without a pause of more than ${SESSION_GAP_MINUTES} minutes. ` +
    'Users who began no session in these days are in none of the five groups by length. Needs the plan `enterprise`.',
  tags: ['Enterprise'],
  sample: { path: { handle: DEMO.handle } },
  request: { params: z.object({ handle: handleParam }) },
  responses: answers(EnterpriseSummary, `Users of the last ${DEFAULT_PERIOD_DAYS} days.`, {
    403: OTHER_PLAN,
    404: NO_OWN_HANDLE,
  }),
})
