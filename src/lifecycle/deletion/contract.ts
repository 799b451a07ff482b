import { createRoute, z } from '@hono/zod-openapi'
import { handleParam, NO_OWN_HANDLE } from '../../accounts/applications/contract.ts'
import { acceptedEnvelope, jsonAnswer, problems } from '../../http/api/answers.ts'

/** What is said where nobody confirmed that everything of an application is to go. */
export const CONFIRM = "Input should be the application's handle, to confirm that everything of it is to go"

const Deletion = z
  .object({
    handle: z
      .string()
      .openapi({ description: 'Handle, without its at-sign. It is free now.', example: 'lemon_stand_bot' }),
  })
  .openapi('Deletion', { description: 'What is deleted.' })

export const deleteApplication = createRoute({
  method: 'delete',
  path: '/applications/{handle}',
  operationId: 'deleteApplication',
  summary: 'Deleting an application',
  description:
    'Deletes an application with everything of it: events, users, figures, saved questions and the keys that were issued for it alone. ' +
    'Its handle is free at once; its keys and its project id end everywhere within 90 seconds. The rest goes behind the answer, and cannot be brought back.',
  tags: ['Account'],
  request: {
    params: z.object({ handle: handleParam }),
    query: z.object({
      confirm: z.string().optional().openapi({
        description: 'The same handle once more. Without it nothing is deleted.',
        example: 'lemon_stand_bot',
      }),
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
