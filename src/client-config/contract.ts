import { createRoute, z } from '@hono/zod-openapi'
import { NO_APPLICATION } from '../accounts/contract.ts'
import { jsonAnswer, problems } from '../api/answers.ts'
import { ADVANCED_FEATURES, MESSENGER_EVENTS, MINI_APP_EVENTS } from './capture-settings.ts'

const ClientConfig = z
  .object({
    app_name: z.string().openapi({ description: 'Name of the application.', example: 'Lemon Shop' }),
    public_key: z.string().openapi({ description: 'RSA-2048 public key as PKCS#1 PEM; clients seal events with it.' }),
    host: z.url().openapi({
      description: 'Where the client sends its events.',
      example: 'https://mauve.example.workers.dev/v1/client/events',
    }),
    auto_capture: z.boolean().openapi({ description: 'Whether the client captures events by itself.', example: true }),
    auto_capture_tags: z
      .array(z.string())
      .openapi({ description: 'Elements whose clicks it captures.', example: ['a', 'button'] }),
    auto_capture_classes: z
      .array(z.string())
      .openapi({ description: 'Classes of elements whose clicks it captures.', example: ['buy'] }),
    auto_capture_mini_app_events: z
      .array(z.enum(MINI_APP_EVENTS))
      .openapi({ description: 'Events of the mini-app that it captures.', example: ['InvoiceClosed'] }),
    auto_capture_commands: z
      .array(z.string())
      .openapi({ description: 'Commands of the bot that it captures.', example: ['/start'] }),
    auto_capture_messages: z
      .array(z.string())
      .openapi({ description: 'Messages to the bot that it captures.', example: ['lemons'] }),
    auto_capture_telegram: z
      .boolean()
      .openapi({ description: 'Whether the client captures events of the messenger.', example: false }),
    auto_capture_telegram_events: z
      .array(z.enum(MESSENGER_EVENTS))
      .openapi({ description: 'Events of the messenger that it captures.', example: ['message'] }),
    advanced_tracking_features: z
      .array(z.enum(ADVANCED_FEATURES))
      .openapi({ description: 'Further features that are on.', example: ['wallet_connected'] }),
  })
  .openapi('ClientConfig')

export const getClientConfig = createRoute({
  method: 'get',
  path: '/v1/client/config',
  operationId: 'getClientConfig',
  summary: 'Client configuration',
  description: 'What a tracking client needs before it can send events. A change shows within 90 seconds.',
  tags: ['Tracking'],
  responses: { 200: jsonAnswer(ClientConfig, 'The configuration.'), ...problems({ 404: NO_APPLICATION }) },
})
