import { createRoute, z } from '@hono/zod-openapi'
import { EFFECT_SECONDS, SCOPES } from '../access/api-keys.ts'
import { NO_OWN_KEY } from '../access/refusals.ts'
import { answer, jsonAnswer, jsonBody, problems } from '../http/api/answers.ts'
import { flag, label, moment } from '../http/api/fields.ts'
import { DEMO } from '../http/api/sample.ts'
import { text } from '../http/params.ts'

/** The most keys of an account that are not revoked, and the most revoked keys that are kept. */
export const MAX_KEYS = 1_000
export const KEYS_FULL = `An account has at most ${MAX_KEYS} keys that are not revoked. Revoke one that nobody uses any more.`

const key = {
  id: label('Identifies the key without revealing it: the first 16 characters of its SHA-256.', '1f0c2a9b7d3e4f56'),
  name: label('What the key is for; may be empty.', 'Weekly report'),
  scope: z.enum(SCOPES).openapi({ description: 'What the key opens.', example: 'read' }),
  persons: flag('Whether assistants that use the key (`/mcp`) see individual users.', false),
  handle: label(
    'Handle of the application that the key was issued for or acts for; null if there is none.',
    'lemon_shop_bot',
  ).nullable(),
  last_four: label('Its last four characters.', '43fe'),
  created_at: moment('When it was issued.', '2026-11-20T10:15:30.000Z'),
  last_used_at: moment(
    'The hour in which the key was last used; null if never.',
    '2026-11-20T10:00:00.000Z',
  ).nullable(),
  revoked_at: z.iso
    .datetime()
    .nullable()
    .openapi({ description: 'When it was revoked; null if it was not.', example: null }),
}

const Key = z.object(key).openapi('Key', { description: 'An API key, without the key itself.' })

const IssuedKey = z
  .object({
    key: label('The key itself. It is shown only here.', '75a5d521-9504-45fb-a371-973aa89eb186'),
    ...key,
  })
  .openapi('IssuedKey', { description: 'An API key that was just issued.' })

export const listKeys = createRoute({
  method: 'get',
  path: '/keys',
  operationId: 'listKeys',
  summary: 'API keys',
  description: `The account's API keys, newest first, including the last ${MAX_KEYS} that were revoked.`,
  tags: ['Account'],
  responses: {
    200: jsonAnswer(answer('KeyList', { data: z.array(Key).openapi({ description: 'The keys.' }) }), 'The keys.'),
  },
})

export const KeyOrder = z
  .strictObject({
    name: text({ min: 1, max: 100 }).openapi({ description: 'What the key is for.', example: 'Weekly report' }),
    scope: z.enum(SCOPES).openapi({
      description:
        '`full` opens everything, `read` every question and nothing else, `client` the client configuration and collection.',
      example: 'read',
    }),
    persons: flag(
      'Whether assistants that use the key (`/mcp`) see individual users. By default `true` with scope `full`, else `false`. ' +
        'Without it, numbers of five and more digits in sources, referrers and start parameters are masked; values of event parameters and names are not. ' +
        'Not for scope `client`, which opens no questions. It changes nothing about other requests with the key.',
      false,
    ).optional(),
    handle: label(
      'Handle of the application that the key is for, with or without its at-sign. Without it, a key of scope `full` acts for ' +
        "the account's oldest application, one of scope `client` for its only one, and one of scope `read` opens all of them.",
      'lemon_shop_bot',
    ).optional(),
  })
  .refine(({ scope, persons }) => scope !== 'client' || persons !== true, {
    path: ['persons'],
    message: 'A key of scope client shows nobody',
  })
  .openapi('KeyOrder')

export const issueKey = createRoute({
  method: 'post',
  path: '/keys',
  operationId: 'issueKey',
  summary: 'Issuing an API key',
  description:
    'Issues an API key of the account. The response is the only place that shows it. An unknown field in the body is a 422. ' +
    `An account has at most ${MAX_KEYS} keys that are not revoked; one more is a 409.`,
  tags: ['Account'],
  sample: { body: { name: 'Weekly report', scope: 'read', handle: DEMO.handle } },
  request: { body: jsonBody(KeyOrder) },
  responses: {
    200: jsonAnswer(answer('IssuedKeyAnswer', { data: IssuedKey }), 'The key is issued.'),
    ...problems({ 409: KEYS_FULL }),
  },
})

export const revokeKey = createRoute({
  method: 'delete',
  path: '/keys/{id}',
  operationId: 'revokeKey',
  summary: 'Revoking an API key',
  description:
    `Revokes an API key of the account, everywhere within ${EFFECT_SECONDS} seconds. A key may revoke itself. Revoking a key again changes nothing ` +
    'and returns the same response.',
  tags: ['Account'],
  sample: { path: { id: DEMO.key } },
  request: {
    params: z.object({
      id: label('Id of the key, from the list of keys.', '1f0c2a9b7d3e4f56'),
    }),
  },
  responses: {
    200: jsonAnswer(answer('KeyAnswer', { data: Key }), 'The key is revoked.'),
    ...problems({ 404: NO_OWN_KEY }),
  },
})
