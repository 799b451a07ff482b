import { createRoute, z } from '@hono/zod-openapi'
import { COPY_SECONDS } from '../../access/api-keys.ts'
import { handleParam, NO_OWN_HANDLE } from '../../accounts/applications/contract.ts'
import { acceptedEnvelope, jsonAnswer, problems } from '../../http/api/answers.ts'
import { label } from '../../http/api/fields.ts'

export const CONFIRM = "Input should be the application's handle, to confirm that you delete all of its data"

const Deletion = z
  .object({
    handle: label('Handle, without its at-sign. It can be registered again.', 'lemon_stand_bot'),
  })
  .openapi('Deletion', { description: 'What is deleted.' })

export const deleteApplication = createRoute({
  method: 'delete',
  path: '/applications/{handle}',
  operationId: 'deleteApplication',
  summary: 'Deleting an application',
  description:
    'Deletes an application and all of its data: events, users, figures, saved questions and the keys that were issued for it alone. ' +
    `Its handle is free immediately; its keys and its project id stop working everywhere within ${COPY_SECONDS} seconds. The rest is deleted after the response and cannot be restored.`,
  tags: ['Account'],
  sample: { path: { handle: 'lemon_stand_bot' }, query: 'confirm=lemon_stand_bot' },
  request: {
    params: z.object({ handle: handleParam }),
    query: z.object({
      confirm: label('The same handle again, to confirm that all of its data is deleted.', 'lemon_stand_bot'),
    }),
  },
  responses: {
    202: jsonAnswer(
      z.object({ data: Deletion, ...acceptedEnvelope }).openapi('DeletionAnswer'),
      'It is being deleted.',
    ),
    ...problems({ 404: NO_OWN_HANDLE }),
  },
})
