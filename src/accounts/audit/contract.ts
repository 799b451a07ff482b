import { createRoute, z } from '@hono/zod-openapi'
import { AUDIT_MONTHS, MOST_ACTS } from '../../access/audit.ts'
import { envelope, jsonAnswer } from '../../http/api/answers.ts'
import { integerParam } from '../../http/params.ts'

const AuditEntry = z
  .object({
    at: z.iso.datetime().openapi({ description: 'When it was done.', example: '2026-11-20T10:15:30.000Z' }),
    actor: z.enum(['key', 'member', 'link', 'command']).openapi({
      description:
        'Who did it: an API key; a member who signed in to the pages; whoever signed in with a link; or an operator, with a command.',
    }),
    actor_id: z.string().nullable().openapi({
      description: 'The id of the key, or the messenger id of the member; null for the others.',
      example: '75a5d521-9504-45',
    }),
    actor_name: z
      .string()
      .nullable()
      .openapi({ description: "The key's or the member's name now; null if there is none.", example: 'Weekly report' }),
    action: z.string().openapi({
      description:
        'The operation that was called, by its id; or `signIn`, `addMember`, `changeRole`, `removeMember`, `createSignInLink`, `setUp`, `createShare`, `revokeShare`, `putBoard`, `deleteBoard`, `saveReport` (of a report that a link shows), which only pages and commands do.',
      example: 'revokeKey',
    }),
    handle: z
      .string()
      .nullable()
      .openapi({ description: 'The application that it was about, without the at-sign.', example: 'lemon_shop_bot' }),
    target: z.string().nullable().openapi({
      description:
        'The id or the name of what was changed, such as a key, a member, a cohort. Users of applications are not named: numbers of five digits and more are left out of names.',
      example: '0b0f1a3e6f0e4f43',
    }),
  })
  .openapi('AuditEntry')

export const listAuditEntries = createRoute({
  method: 'get',
  path: '/audit',
  operationId: 'listAuditEntries',
  summary: 'Audit list',
  description:
    'Who signed in to the account, changed its keys, members and settings, erased, deleted, or exported; newest first. What a key or a person exports has one entry an hour. ' +
    `Kept for ${AUDIT_MONTHS} months, at most the newest ${MOST_ACTS.toLocaleString('en')}. What was refused, and questions, are not in it.`,
  tags: ['Account'],
  sample: { query: 'limit=3' },
  request: {
    query: z.object({
      limit: integerParam({ min: 1, max: 1000 }).default(100).openapi({ description: 'Entries per page.' }),
      offset: integerParam({ min: 0 }).default(0).openapi({ description: 'Entries to skip.' }),
    }),
  },
  responses: {
    200: jsonAnswer(
      z
        .object({
          ...envelope,
          limit: z.number().int().openapi({ description: 'Entries per page.', example: 100 }),
          offset: z.number().int().openapi({ description: 'Entries skipped.', example: 0 }),
          total: z.number().int().openapi({ description: 'Entries on all pages.', example: 28 }),
          data: z.array(AuditEntry).openapi({ description: 'Newest first.' }),
        })
        .openapi('AuditList'),
      'One page of entries.',
    ),
  },
})
