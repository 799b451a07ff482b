import { createRoute, z } from '@hono/zod-openapi'
import { NO_APPLICATION } from '../accounts/contract.ts'
import { envelope, jsonAnswer, jsonBody, problems } from '../api/answers.ts'
import { handleParam, NO_OWN_HANDLE } from '../applications/contract.ts'
import { text } from '../http/params.ts'
import { ADVANCED_FEATURES, MESSENGER_EVENTS, MINI_APP_EVENTS } from './capture-settings.ts'

/** Of each list, and of each word in it. */
const MAX_ITEMS = 100
const MAX_CHARACTERS = 100

/** Words of an application's own, such as tags. */
const words = z.array(text({ min: 1, max: MAX_CHARACTERS })).max(MAX_ITEMS)

/** The fields that an application's owner sets. */
const captureFields = {
  auto_capture: z.boolean().openapi({ description: 'Whether the client captures events by itself.', example: true }),
  auto_capture_tags: words.openapi({
    description: 'Elements whose clicks it captures.',
    example: ['a', 'button'],
  }),
  auto_capture_classes: words.openapi({
    description: 'Classes of elements whose clicks it captures.',
    example: ['buy'],
  }),
  auto_capture_mini_app_events: z
    .array(z.enum(MINI_APP_EVENTS))
    .max(MAX_ITEMS)
    .openapi({ description: 'Events of the mini-app that it captures.', example: ['InvoiceClosed'] }),
  auto_capture_commands: words.openapi({
    description: 'Commands of the bot that it captures.',
    example: ['/start'],
  }),
  auto_capture_messages: words.openapi({
    description: 'Messages to the bot that it captures.',
    example: ['lemons'],
  }),
  auto_capture_telegram: z
    .boolean()
    .openapi({ description: 'Whether the client captures events of the messenger.', example: false }),
  auto_capture_telegram_events: z
    .array(z.enum(MESSENGER_EVENTS))
    .max(MAX_ITEMS)
    .openapi({ description: 'Events of the messenger that it captures.', example: ['message'] }),
  advanced_tracking_features: z
    .array(z.enum(ADVANCED_FEATURES))
    .max(MAX_ITEMS)
    .openapi({ description: 'Further features that are on.', example: ['wallet_connected'] }),
}

const ClientConfig = z
  .object({
    app_name: z.string().openapi({ description: 'Name of the application.', example: 'Lemon Shop' }),
    public_key: z.string().openapi({ description: 'RSA-2048 public key as PKCS#1 PEM; clients seal events with it.' }),
    host: z.url().openapi({
      description: 'Where the client sends its events.',
      example: 'https://mauve.example.workers.dev/v1/client/events',
    }),
    ...captureFields,
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

const CaptureSettings = z
  .object(captureFields)
  .openapi('CaptureSettings', { description: 'What tracking clients capture.' })
const CaptureChanges = z.strictObject(captureFields).partial().openapi('CaptureChanges')

const AnsweredSettings = z.object({ data: CaptureSettings, ...envelope }).openapi('CaptureSettingsAnswer')

export const getCaptureSettings = createRoute({
  method: 'get',
  path: '/applications/{handle}/client-config',
  operationId: 'getCaptureSettings',
  summary: 'Capture settings',
  description:
    "What the application's tracking clients capture: those fields of the client configuration that can be changed.",
  tags: ['Account'],
  request: { params: z.object({ handle: handleParam }) },
  responses: { 200: jsonAnswer(AnsweredSettings, 'The settings.'), ...problems({ 404: NO_OWN_HANDLE }) },
})

export const updateCaptureSettings = createRoute({
  method: 'put',
  path: '/applications/{handle}/client-config',
  operationId: 'updateCaptureSettings',
  summary: 'Changing capture settings',
  description:
    'Changes what the body names and leaves the rest; a field that it does not know is a 422. What a list names twice it names once. ' +
    'Tracking clients see it within 90 seconds.',
  tags: ['Account'],
  request: { params: z.object({ handle: handleParam }), body: jsonBody(CaptureChanges) },
  responses: {
    200: jsonAnswer(AnsweredSettings, 'The settings as they are now.'),
    ...problems({ 404: NO_OWN_HANDLE }),
  },
})
