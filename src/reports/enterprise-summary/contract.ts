import { createRoute, z } from '@hono/zod-openapi'
import { OTHER_PLAN } from '../../accounts/contract.ts'
import { envelope, jsonAnswer, problems } from '../../api/answers.ts'
import { handleParam, NO_OWN_HANDLE } from '../../applications/contract.ts'
import { ANSWER_HEADERS } from '../answer-headers.ts'

const users = (who: string, example: number) =>
  z
    .number()
    .int()
    .openapi({ description: `Users ${who}.`, example })

const EnterpriseSummary = z
  .object({
    data: z
      .object({
        premium_users: users('with premium, as their last event said', 155),
        non_premium_users: users('without, or of whom it is not known', 1285),
        zero_to_five_seconds: users('whose sessions are shorter than 5 seconds on average', 180),
        five_to_ten_seconds: users('from 5 to less than 10 seconds', 150),
        eleven_to_sixty_seconds: users('from 10 to less than 60 seconds', 900),
        one_to_five_minutes: users('from 60 to less than 300 seconds', 200),
        five_plus_minutes: users('from 300 seconds on', 0),
      })
      .openapi({ description: 'Users active in the last 30 days, which end today.' }),
    handle: z.string().openapi({ description: 'Without the at-sign.', example: 'lemon_shop_bot' }),
    ...envelope,
  })
  .openapi('EnterpriseSummary')

export const getEnterpriseSummary = createRoute({
  method: 'get',
  path: '/enterprise/{handle}',
  operationId: 'getEnterpriseSummary',
  summary: 'Enterprise summary',
  description:
    "Users of one of the caller's applications who were active in the last 30 days: by whether they have premium, and by the mean length of their sessions that began in these days. " +
    'A session is a run of events of a user of which none lies more than 30 minutes after the one before. ' +
    'A user all of whose events belong to a session that began before has no mean and is in none of these five. Needs the plan `enterprise`.',
  tags: ['Enterprise'],
  request: { params: z.object({ handle: handleParam }) },
  responses: {
    200: jsonAnswer(EnterpriseSummary, 'Users of the last 30 days.', ANSWER_HEADERS),
    ...problems({ 403: OTHER_PLAN, 404: NO_OWN_HANDLE }),
  },
})
