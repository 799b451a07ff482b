import type { Mutant } from './mutant.ts'

/** Who may what. */
export const access: readonly Mutant[] = [
  {
    name: 'revoked-key-that-stays',
    promise: 'a revoked key opens nothing',
    from: '.where(and(eq(apiKeys.hash, keyHash), isNull(apiKeys.revokedAt)))',
    to: '.where(eq(apiKeys.hash, keyHash))',
    test: 'test/accounts/strangers.test.ts',
    title: 'a revoked key gets the same answer',
  },
  {
    name: 'read-key-that-changes',
    promise: 'a read key changes nothing',
    from: "if (scope !== 'full' && !OPENED_BY[scope].includes(area))",
    to: "if (scope === 'client' && !OPENED_BY[scope].includes(area))",
    test: 'test/accounts/keys.test.ts',
    title: 'gets a 403 that explains its scope',
  },
  {
    name: 'client-key-of-a-sister-application',
    promise: 'a client key that was issued for one application opens no other',
    from: "or(eq(apiKeys.scope, 'full'), isNull(apiKeys.applicationId), own),",
    to: '',
    test: 'test/accounts/access.test.ts',
    title: 'gets a 403 for a sister application',
  },
  {
    name: 'session-of-another-account',
    promise: 'a session ends with the membership in its account, whatever other accounts the member has',
    from: 'eq(members.accountId, accountId), eq(members.telegramId, telegramId), lte(members.createdAt, createdAt)',
    to: 'eq(members.telegramId, telegramId), lte(members.createdAt, createdAt)',
    test: 'test/dashboard/sign-in.test.ts',
    title: 'a member who is removed from one of their accounts',
  },
  {
    name: 'session-for-ever',
    promise: 'a session ends after 30 days',
    from: '.where(and(eq(dashboardSessions.hash, hash), gt(expiresAt, now)))',
    to: '.where(eq(dashboardSessions.hash, hash))',
    test: 'test/dashboard/sessions.test.ts',
    title: 'after 30 days',
  },
  {
    name: 'link-that-signs-in-later',
    promise: 'a sign-in link works for ten minutes',
    from: 'return and(eq(signInLinks.hash, hash), gt(signInLinks.expiresAt, now))',
    to: 'return eq(signInLinks.hash, hash)',
    test: 'test/dashboard/sign-in.test.ts',
    title: 'signs in for ten minutes',
  },
  {
    name: 'signature-for-another-bot',
    promise: 'init data that was signed for one bot proves nothing to another',
    from: 'update(`${botId} ${publicKeys} ${initData.text}`)',
    to: 'update(`${publicKeys} ${initData.text}`)',
    test: 'test/collection/batch.node.test.ts',
    title: 'is checked again if the application names another bot',
  },
  {
    name: 'field-of-init-data-twice',
    promise: 'init data that can be read in two ways is invalid',
    from: 'if (pairs.length === 0 || fields.size < pairs.length || !isPlain) return null',
    to: 'if (pairs.length === 0 || !isPlain) return null',
    test: 'test/collection/batch.node.test.ts',
    title: 'is refused',
  },
]
