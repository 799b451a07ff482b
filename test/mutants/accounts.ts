import type { Mutant } from './mutant.ts'

/** Accounts, keys, quotas and links. */
export const accounts: readonly Mutant[] = [
  {
    name: 'revokes-the-key-of-another-account',
    promise: 'an account revokes its own keys only',
    from: '.where(and(eq(idOfKey, id), own, isNull(apiKeys.revokedAt)))',
    to: '.where(and(eq(idOfKey, id), isNull(apiKeys.revokedAt)))',
    test: 'test/accounts/keys.test.ts',
    title: 'belongs to the account',
  },
  {
    name: 'page-uses-up-the-quota-of-a-server',
    promise: 'client keys and full keys have separate quotas',
    from: 'const name = `${applicationId} ${share}`',
    to: 'const name = `${applicationId}`',
    test: 'test/accounts/quotas/quotas.test.ts',
    title: "what a page's key uses up, a server still has",
  },
  {
    name: 'reports-every-seal',
    promise: 'the first 20 seals a day that do not open are reported, and no more',
    from: 'const REPORTED_SEALS = 20',
    to: 'const REPORTED_SEALS = 1_000',
    test: 'test/accounts/quotas/unopened-seals.test.ts',
    title: 'are reported twenty times a day',
  },
  {
    name: 'passwords-without-end',
    promise: 'after 20 wrong passwords a link is locked for a quarter of an hour',
    from: "if (!counted) throw new Failure('too-many'",
    to: "if (counted === null) throw new Failure('too-many'",
    test: 'test/dashboard/boards-and-shares.test.ts',
    title: 'a password is asked for with each view',
  },
  {
    name: 'data-since-a-day-early',
    promise: 'data is complete from 30 days after the first kept day on',
    from: 'const LOOK_BACK_DAYS = 30',
    to: 'const LOOK_BACK_DAYS = 29',
    test: 'test/accounts/applications/account.test.ts',
    title: 'tells since when there is data',
  },
]
