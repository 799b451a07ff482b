import { createRoute, z } from '@hono/zod-openapi'
import { EFFECT_SECONDS } from '../../access/api-keys.ts'
import { NO_APPLICATION } from '../../access/refusals.ts'
import { answer, jsonAnswer, jsonBody, problems } from '../../http/api/answers.ts'
import { flag, label } from '../../http/api/fields.ts'
import { DEMO } from '../../http/api/sample.ts'
import { text } from '../../http/params.ts'
import {
  ADVANCED_FEATURES,
  FURTHER_MESSENGER_EVENTS,
  FURTHER_MINI_APP_EVENTS,
  MESSENGER_EVENTS,
  MINI_APP_EVENTS,
} from '../../storage/capture-settings.ts'
import { handleParam, NO_OWN_HANDLE } from '../applications/contract.ts'

/** Limits of a list and of each text in it. */
/** The most items of a list, and the most characters of each. */
export const MAX_ITEMS = 100
export const MAX_CHARACTERS = 100

const words = z.array(text({ min: 1, max: MAX_CHARACTERS })).max(MAX_ITEMS)

const captureFields = {
  auto_capture: flag('Whether the client captures events by itself.', true),
  auto_capture_tags: words.openapi({
    description: 'Elements whose clicks the client captures.',
    example: ['a', 'button'],
  }),
  auto_capture_classes: words.openapi({
    description: 'Classes of elements whose clicks the client captures.',
    example: ['buy'],
  }),
  auto_capture_mini_app_events: z
    .array(z.enum(MINI_APP_EVENTS))
    .max(MAX_ITEMS)
    .openapi({ description: 'Mini-app events that the client captures.', example: ['InvoiceClosed'] }),
  auto_capture_commands: words.openapi({
    description: 'Bot commands that the client captures.',
    example: ['/start'],
  }),
  auto_capture_messages: words.openapi({
    description: 'Messages to the bot that the client captures.',
    example: ['lemons'],
  }),
  auto_capture_telegram: flag('Whether the client captures messenger events.', false),
  auto_capture_telegram_events: z
    .array(z.enum(MESSENGER_EVENTS))
    .max(MAX_ITEMS)
    .openapi({ description: 'Messenger events that the client captures.', example: ['message'] }),
  advanced_tracking_features: z
    .array(z.enum(ADVANCED_FEATURES))
    .max(MAX_ITEMS)
    .openapi({ description: 'Enabled additional features.', example: ['wallet_connected'] }),
}

const mauveFields = {
  mini_app_events: z
    .array(z.enum(FURTHER_MINI_APP_EVENTS))
    .max(MAX_ITEMS)
    .openapi({ description: 'Further mini-app events.', example: ['HomeScreenAdded'] }),
  telegram_events: z
    .array(z.enum(FURTHER_MESSENGER_EVENTS))
    .max(MAX_ITEMS)
    .openapi({
      description: 'Further types of update; `other`: types that the client does not know.',
      example: ['subscription'],
    }),
  foreground_time: flag('Whether `Session end` is sent with the seconds in the foreground.'),
  errors: flag('Whether uncaught errors of the page are sent as `Error`.'),
}

const MauveSettings = z.object(mauveFields).openapi('MauveSettings', {
  description: "What only Mauve's own clients capture; the client configuration has it with `client=mauve`.",
})

const ClientConfig = z
  .object({
    app_name: label('Name of the application.', 'Lemon Shop'),
    public_key: label('RSA-2048 public key as PKCS#1 PEM; clients seal events with it.'),
    host: z.url().openapi({
      description: 'Where the client sends its events.',
      example: 'https://mauve.example.workers.dev/v1/client/events',
    }),
    ...captureFields,
    mauve: MauveSettings.optional(),
  })
  .openapi('ClientConfig')

export const getClientConfig = createRoute({
  method: 'get',
  path: '/v1/client/config',
  operationId: 'getClientConfig',
  summary: 'Client configuration',
  description: `What a tracking client needs before it can send events. Changes take effect within ${EFFECT_SECONDS} seconds.`,
  tags: ['Tracking'],
  request: {
    query: z.object({
      client: label("`mauve` adds the settings of Mauve's own clients.", 'mauve').optional(),
    }),
  },
  responses: { 200: jsonAnswer(ClientConfig, 'The configuration.'), ...problems({ 404: NO_APPLICATION }) },
})

const CaptureSettings = z
  .object({ ...captureFields, mauve: MauveSettings })
  .openapi('CaptureSettings', { description: 'What tracking clients capture.' })
const MauveChanges = z
  .strictObject(mauveFields)
  .partial()
  .openapi('MauveChanges', { description: "Changes of what only Mauve's own clients capture; the others stay." })

export const CaptureChanges = z
  .strictObject({ ...captureFields, mauve: MauveChanges })
  .partial()
  .openapi('CaptureChanges')

declare module '../../base/described.ts' {
  interface Described {
    readonly capture: z.output<typeof CaptureSettings>
    readonly captureChanges: z.output<typeof CaptureChanges>
  }
}

const AnsweredSettings = answer('CaptureSettingsAnswer', { data: CaptureSettings })

export const getCaptureSettings = createRoute({
  method: 'get',
  path: '/applications/{handle}/client-config',
  operationId: 'getCaptureSettings',
  summary: 'Capture settings',
  description:
    "What the application's tracking clients capture: the fields of the client configuration that you can change.",
  tags: ['Account'],
  sample: { path: { handle: DEMO.handle } },
  request: { params: z.object({ handle: handleParam }) },
  responses: { 200: jsonAnswer(AnsweredSettings, 'The settings.'), ...problems({ 404: NO_OWN_HANDLE }) },
})

export const updateCaptureSettings = createRoute({
  method: 'put',
  path: '/applications/{handle}/client-config',
  operationId: 'updateCaptureSettings',
  summary: 'Changing capture settings',
  description:
    'Changes the fields in the body and keeps the others. An unknown field is a 422. Duplicates in a list are dropped. ' +
    `Tracking clients see the change within ${EFFECT_SECONDS} seconds.`,
  tags: ['Account'],
  sample: {
    path: { handle: DEMO.handle },
    body: { auto_capture_classes: ['buy'], auto_capture_mini_app_events: ['InvoiceClosed', 'WalletConnected'] },
  },
  request: { params: z.object({ handle: handleParam }), body: jsonBody(CaptureChanges) },
  responses: {
    200: jsonAnswer(AnsweredSettings, 'The settings as they are now.'),
    ...problems({ 404: NO_OWN_HANDLE }),
  },
})
