import { createRoute, z } from '@hono/zod-openapi'
import { envelope, jsonAnswer, jsonBody, problems } from '../api/answers.ts'
import { text } from '../http/params.ts'
import { SCOPES } from './api-keys.ts'

/** What a key without an application is told by every operation that is about one. */
export const NO_APPLICATION = 'This API key acts for no application yet. Register one: POST /applications/register.'

/** The same, where the key cannot register one. */
export const UNNAMED_APPLICATION =
  'This API key acts for no application by itself. Name one of its account by its project id: x-project-id, or project in the query.'

/** What is said of a key that opens nothing, of one that opens something else, and of an account with another plan. */
export const UNKNOWN_KEY = 'This API key is unknown or was revoked.'
export const FOREIGN_PROJECT = 'This API key does not open that project.'
export const CLIENT_KEY = 'This API key is for tracking clients: it opens the client configuration and collection only.'
export const READ_KEY = 'This API key is for reading: it opens questions only.'
export const VERIFIED_ONLY =
  "This application takes events from client keys only with the messenger's init data, as a body with init_data and events."
export const NO_OWN_KEY = 'This account has no such API key.'
export const OTHER_PLAN = 'This operation needs the plan enterprise.'

const key = {
  id: z.string().openapi({
    description: 'Names the key without telling it: the first 16 characters of its SHA-256.',
    example: '1f0c2a9b7d3e4f56',
  }),
  name: z.string().openapi({ description: 'What the key is for; may be empty.', example: 'Weekly report' }),
  scope: z.enum(SCOPES).openapi({ description: 'What the key opens.', example: 'read' }),
  handle: z.string().nullable().openapi({
    description: 'Handle of the application that it was issued for or acts for; null where there is none.',
    example: 'lemon_shop_bot',
  }),
  last_four: z.string().openapi({ description: 'Its last four characters.', example: '43fe' }),
  created_at: z.iso.datetime().openapi({ description: 'When it was issued.', example: '2026-11-20T10:15:30.000Z' }),
  last_used_at: z.iso.datetime().nullable().openapi({
    description: 'The hour in which it last opened something; null where it never did.',
    example: '2026-11-20T10:00:00.000Z',
  }),
  revoked_at: z.iso
    .datetime()
    .nullable()
    .openapi({ description: 'When it was revoked; null where it was not.', example: null }),
}

const Key = z.object(key).openapi('Key', { description: 'An API key, without itself.' })

const IssuedKey = z
  .object({
    key: z.string().openapi({
      description: 'The key itself. It is told here once, and never again.',
      example: '75a5d521-9504-45fb-a371-973aa89eb186',
    }),
    ...key,
  })
  .openapi('IssuedKey', { description: 'An API key that was just issued.' })

export const listKeys = createRoute({
  method: 'get',
  path: '/keys',
  operationId: 'listKeys',
  summary: 'API keys',
  description: "The account's API keys, newest first, revoked ones as well.",
  tags: ['Account'],
  responses: {
    200: jsonAnswer(
      z.object({ data: z.array(Key).openapi({ description: 'The keys.' }), ...envelope }).openapi('KeyList'),
      'The keys.',
    ),
  },
})

const KeyOrder = z
  .strictObject({
    name: text({ min: 1, max: 100 }).openapi({ description: 'What the key is for.', example: 'Weekly report' }),
    scope: z.enum(SCOPES).openapi({
      description:
        '`full` opens everything, `read` every question and nothing else, `client` the client configuration and collection.',
      example: 'read',
    }),
    handle: z
      .string()
      .optional()
      .openapi({
        description:
          'Handle of the application that the key is for, with or without its at-sign. Without one a key of scope `full` acts for ' +
          "the account's oldest application, one of scope `client` for its only one, and one of scope `read` opens all of them.",
        example: 'lemon_shop_bot',
      }),
  })
  .openapi('KeyOrder')

export const issueKey = createRoute({
  method: 'post',
  path: '/keys',
  operationId: 'issueKey',
  summary: 'Issuing an API key',
  description:
    'Issues an API key of the account and tells it, this once. A field that the body should not have is a 422.',
  tags: ['Account'],
  request: { body: jsonBody(KeyOrder) },
  responses: {
    200: jsonAnswer(z.object({ data: IssuedKey, ...envelope }).openapi('IssuedKeyAnswer'), 'The key is issued.'),
  },
})

export const revokeKey = createRoute({
  method: 'delete',
  path: '/keys/{id}',
  operationId: 'revokeKey',
  summary: 'Revoking an API key',
  description:
    'Ends an API key of the account, everywhere within 90 seconds; the key that asks may end itself. One that was revoked already ' +
    'stays as it is, with the same answer.',
  tags: ['Account'],
  request: {
    params: z.object({
      id: z.string().openapi({ description: 'Id of the key, as the list shows it.', example: '1f0c2a9b7d3e4f56' }),
    }),
  },
  responses: {
    200: jsonAnswer(z.object({ data: Key, ...envelope }).openapi('KeyAnswer'), 'The key is revoked.'),
    ...problems({ 404: NO_OWN_KEY }),
  },
})
