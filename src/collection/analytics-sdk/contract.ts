import { createRoute, z } from '@hono/zod-openapi'
import { NO_APPLICATION } from '../../access/refusals.ts'
import { acceptedEnvelope, jsonAnswer, jsonBody, problems } from '../../http/api/answers.ts'
import { collected, MAX_EVENTS, NOT_KEPT, userId } from '../contract.ts'

/** A field that is never refused: a value of another type is ignored. */
const optional = (description: string, example?: unknown) => z.unknown().optional().openapi({ description, example })

const SdkEvent = z
  .looseObject({
    event_name: optional('Name of the event, which is stored under the name that other clients use.', 'app-init'),
    user_id: userId,
    session_id: optional("The package's id of the session.", '0ba49ee2-d074-41c4-a2b0-641c462b0641'),
    client_timestamp: optional(
      'When it happened: milliseconds, as text. An impossible time becomes that of the arrival.',
    ),
    app_name: optional('Ignored: the key names the application.'),
    is_premium: optional('Whether the user has premium.', true),
    platform: optional("The messenger's platform word.", 'ios'),
    locale: optional("Code of the user's language.", 'en'),
    start_param: optional('Parameter that the application was opened with.'),
    custom_data: optional('Further parameters of the event.'),
  })
  .openapi('SdkEvent', {
    description: 'An event as `@telegram-apps/analytics` sends it. Other fields are its parameters.',
  })

/** A batch as the package documents it; `sdk-event.ts` reads it. */
const SdkBatch: z.ZodType = z
  .array(SdkEvent)
  .min(1)
  .max(MAX_EVENTS.full)
  .openapi({ description: 'A batch of the package.' })

export const collectSdkEvents = createRoute({
  method: 'post',
  path: '/events',
  operationId: 'collectSdkEvents',
  summary: 'Event collection for @telegram-apps/analytics',
  description:
    'Takes the batches of the npm package `@telegram-apps/analytics` as they are, with `Content-Encoding: gzip` or without: at most ' +
    `1 MiB once unpacked, up to ${MAX_EVENTS.client} events with a client key, all or none. They are stored like those of \`POST /v1/client/events\`, ` +
    'under the names of other clients. An event sent twice counts once. `GET /events/threshold` is for the same package.',
  tags: ['Tracking'],
  sample: {
    body: [
      {
        event_name: 'app-init',
        session_id: '0ba49ee2-d074-41c4-a2b0-641c462b0641',
        user_id: 7234567890,
        app_name: 'lemon_shop',
        is_premium: true,
        platform: 'ios',
        locale: 'en',
        start_param: 'spring',
        client_timestamp: '1763633730123',
      },
    ],
  },
  request: { body: jsonBody(SdkBatch) },
  responses: {
    202: jsonAnswer(
      z.object({ ...acceptedEnvelope, ...collected }).openapi('CollectedSdkEvents'),
      'The events are accepted.',
    ),
    ...problems({ 404: NO_APPLICATION, 503: NOT_KEPT }),
  },
})
