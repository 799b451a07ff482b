import { createRoute, z } from '@hono/zod-openapi'
import { answer, answers, count } from '../engine/contract.ts'
import { filtersParam } from '../filters/contract.ts'

const LiveUsers = answer('LiveUsers', {
  data: z
    .object({
      users: count('Users with an event in these five minutes.', 12),
      minutes: count('How long the time before the request is, in minutes.', 5),
    })
    .openapi({ description: 'The users active now.' }),
})

export const countLiveUsers = createRoute({
  method: 'get',
  path: '/users/live',
  operationId: 'countLiveUsers',
  summary: 'Users active now',
  description:
    "Users of the caller's application with an event in the five minutes before the request. With `filters`, only events that pass count. An event appears a second or two after it was sent.",
  tags: ['Users'],
  request: { query: z.object({ filters: filtersParam }) },
  responses: answers(LiveUsers, 'The number of users.'),
})
