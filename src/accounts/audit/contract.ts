import { createRoute, z } from '@hono/zod-openapi'
import { AUDIT_MONTHS, MOST_ACTS } from '../../access/audit.ts'
import { envelope, jsonAnswer } from '../../http/api/answers.ts'
import { count, label, moment } from '../../http/api/fields.ts'
import { integerParam } from '../../http/params.ts'

const AuditEntry = z
  .object({
    at: moment('When it was done.', '2026-11-20T10:15:30.000Z'),
    actor: z.enum(['key', 'member', 'link', 'command']).openapi({
      description:
        'Who did it: an API key; a member who signed in to the pages; whoever signed in with a link; or an operator, with a command.',
    }),
    actor_id: label(
      'The id of the key, or the messenger id of the member; null for the others.',
      '75a5d521-9504-45',
    ).nullable(),
    actor_name: label("The key's or the member's name now; null if there is none.", 'Weekly report').nullable(),
    action: label(
      'The operation that was called, by its id; or `signIn`, `addMember`, `changeRole`, `removeMember`, `createSignInLink`, `setUp`, `createShare`, `revokeShare`, `putBoard`, `deleteBoard`, `saveReport` (of a report that a link shows), which only pages and commands do.',
      'revokeKey',
    ),
    handle: label('The application that it was about, without the at-sign.', 'lemon_shop_bot').nullable(),
    target: label(
      'The id or the name of what was changed, such as a key, a member, a cohort. Users of applications are not named: numbers of five digits and more are left out of names.',
      '0b0f1a3e6f0e4f43',
    ).nullable(),
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
          limit: count('Entries per page.', 100),
          offset: count('Entries skipped.', 0),
          total: count('Entries on all pages.', 28),
          data: z.array(AuditEntry).openapi({ description: 'Newest first.' }),
        })
        .openapi('AuditList'),
      'One page of entries.',
    ),
  },
})
