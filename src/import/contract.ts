import { createRoute, z } from '@hono/zod-openapi'
import { NO_APPLICATION } from '../accounts/contract.ts'
import { envelope, jsonAnswer, problems } from '../api/answers.ts'
import { LINES } from '../api/lines.ts'
import { NOT_LINES } from '../api/operation.ts'

/** So that what is stored at once stays small. */
export const MAX_LINES = 1_000

const Refused = z.object({
  line: z.number().int().openapi({ description: 'Its number in the body, from 1 on.', example: 3 }),
  reason: z.string().openapi({ description: 'What is wrong with it.', example: 'The line is no JSON' }),
})

const Imported = z
  .object({
    ...envelope,
    stored: z.number().int().openapi({ description: 'Lines that brought something new.', example: 2 }),
    known: z.number().int().openapi({ description: 'Lines of which everything was there already.', example: 0 }),
    refused: z.array(Refused).openapi({ description: 'Lines that were not taken; all others are in the database.' }),
  })
  .openapi('Imported')

export const importEvents = createRoute({
  method: 'post',
  path: '/import/events',
  operationId: 'importEvents',
  summary: 'Import events and users',
  description:
    'Takes lines as `GET /export/events` and `GET /export/users` write them, in any order, and answers when they are in the ' +
    "caller's application. Events keep their key, id, time and context. A user's line brings names, wallet and sessions; totals " +
    'follow from events. What is there already is not counted again, so anything may be sent twice. Times are bound as in ' +
    'collection with a full key; an event that is older than the application keeps is refused. For whole files: `npm run import`.',
  tags: ['Data'],
  request: {
    body: {
      required: true,
      content: {
        [LINES]: { schema: z.string().openapi({ description: `At most ${MAX_LINES} lines of JSON.` }) },
      },
    },
  },
  responses: {
    200: jsonAnswer(Imported, 'What became of the lines.'),
    ...problems({ 404: NO_APPLICATION, 415: NOT_LINES }),
  },
})
