import { createRoute, z } from '@hono/zod-openapi'
import { NO_APPLICATION } from '../../access/refusals.ts'
import { envelope, jsonAnswer, LINES, problems } from '../../http/api/answers.ts'
import { count, label } from '../../http/api/fields.ts'
import { NOT_LINES } from '../../http/api/operation.ts'

/** Keeps what is stored in one request small. */
export const MAX_LINES = 1_000

const lines = label(`At most ${MAX_LINES} lines of JSON.`)

const Refused = z.object({
  line: count('Its number in the body, starting at 1.', 3),
  reason: label('What is wrong with it.', 'The line is not JSON'),
})

const Imported = z
  .object({
    ...envelope,
    stored: count('Lines with something new.', 2),
    known: count('Lines that were stored completely before.', 0),
    refused: z.array(Refused).openapi({ description: 'Lines that were refused; all others are stored.' }),
  })
  .openapi('Imported')

export const importEvents = createRoute({
  method: 'post',
  path: '/import/events',
  operationId: 'importEvents',
  summary: 'Import events and users',
  description:
    'Takes lines as `GET /export/events` and `GET /export/users` write them, in any order, and answers once they are stored in the ' +
    "caller's application. Events keep their key, id, time and context. A user's line adds names, wallet and sessions; totals " +
    'follow from events. Nothing is counted twice, so you may send the same lines again. Times have the bounds of ' +
    'collection with a full key; events of days that the application no longer keeps are refused. For whole files, use `npm run import`.',
  tags: ['Data'],
  sample: {
    body: '{"name":"Order paid","time":"2026-11-20T10:15:30.000Z","telegram_id":7234567890,"event_id":null,"key":81985529216486,"context":{"language":"en"},"params":{"order_total":250}}',
  },
  request: {
    body: {
      required: true,
      content: {
        [LINES]: { schema: lines },
        // The same, for generators that do not support lines of JSON.
        'application/octet-stream': { schema: lines.openapi({ format: 'binary' }) },
      },
    },
  },
  responses: {
    200: jsonAnswer(Imported, 'What happened to the lines.'),
    ...problems({ 404: NO_APPLICATION, 415: NOT_LINES }),
  },
})
