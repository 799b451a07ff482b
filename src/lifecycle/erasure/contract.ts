import { createRoute, z } from '@hono/zod-openapi'
import { NO_APPLICATION } from '../../access/refusals.ts'
import { acceptedEnvelope, jsonAnswer, problems } from '../../http/api/answers.ts'
import { count, flag } from '../../http/api/fields.ts'
import { DEMO } from '../../http/api/sample.ts'
import { booleanParam } from '../../http/params.ts'
import { telegramIdParam } from '../../questions/engine/contract.ts'

const Erasure = z
  .object({
    telegram_id: count('Messenger id of the user.', 7234567890),
    events: count('Events that are erased, as far as is known now.', 326),
    sessions: count('Sessions that are erased, as far as is known now.', 53),
    blocked: flag('Whether later events are not stored either.', false),
  })
  .openapi('Erasure', { description: 'The data that is erased.' })

export const eraseUser = createRoute({
  method: 'delete',
  path: '/users/{telegram_id}',
  operationId: 'eraseUser',
  summary: 'Erasing a person',
  description:
    "Erases all data of a person from the caller's application: events, sessions, properties, names, wallet. " +
    'In the start parameters of users whom they invited, `0` replaces their id. ' +
    'It takes up to a minute, including figures of the past. Later events of the person are stored as those of a new user, unless `block=true`. ' +
    'Repeating it is not an error, nor is erasing an unknown user.',
  tags: ['Users'],
  sample: { path: { telegram_id: DEMO.erasedUser } },
  request: {
    params: z.object({ telegram_id: telegramIdParam }),
    query: z.object({
      block: booleanParam().optional().openapi({
        description:
          '`true`: later events of this person are not stored. `false` reverts that. By default it stays as it is.',
        example: true,
      }),
    }),
  },
  responses: {
    202: jsonAnswer(z.object({ data: Erasure, ...acceptedEnvelope }).openapi('ErasureAnswer'), 'It is being erased.'),
    ...problems({ 404: NO_APPLICATION }),
  },
})
