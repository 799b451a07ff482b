import { createRoute, z } from '@hono/zod-openapi'
import { NO_APPLICATION } from '../../access/refusals.ts'
import { acceptedEnvelope, jsonAnswer, problems } from '../../http/api/answers.ts'
import { booleanParam } from '../../http/params.ts'
import { telegramIdParam } from '../../questions/users/contract.ts'

const Erasure = z
  .object({
    telegram_id: z.number().int().openapi({ description: 'Messenger id of the user.', example: 7234567890 }),
    events: z.number().int().openapi({ description: 'Events that are erased, as far as is known now.', example: 326 }),
    sessions: z
      .number()
      .int()
      .openapi({ description: 'Sessions that are erased, as far as is known now.', example: 53 }),
    blocked: z.boolean().openapi({ description: 'Whether later events are not stored either.', example: false }),
  })
  .openapi('Erasure', { description: 'What is erased of a person.' })

export const eraseUser = createRoute({
  method: 'delete',
  path: '/users/{telegram_id}',
  operationId: 'eraseUser',
  summary: 'Erasing a person',
  description:
    "Erases everything of a person from the caller's application: events, sessions, properties, names, wallet. " +
    'It is done within a minute, figures of the past included. What the person sends later is stored as of somebody new, unless `block=true`. ' +
    'Asking again is no error, also for somebody who was never seen.',
  tags: ['Users'],
  request: {
    params: z.object({ telegram_id: telegramIdParam }),
    query: z.object({
      block: booleanParam().optional().openapi({
        description:
          '`true`: nothing of this person is stored any more, whatever is sent. `false` takes that back. Without it that stays as it is.',
        example: true,
      }),
    }),
  },
  responses: {
    202: jsonAnswer(z.object({ data: Erasure, ...acceptedEnvelope }).openapi('ErasureAnswer'), 'It is being erased.'),
    ...problems({ 404: NO_APPLICATION }),
  },
})
