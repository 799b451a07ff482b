import type { Mutant } from './mutant.ts'

/** Digests, alerts and their messages. */
export const notifications: readonly Mutant[] = [
  {
    name: 'webhook-signed-with-the-old-secret',
    promise: 'a webhook whose secret was replaced is signed with the new one',
    from: "return stored .split(' ') .filter((one) => untilOf(one) > now)",
    to: "return stored\n    .split(' ')\n    .slice(-1)\n    .filter((one) => untilOf(one) > now)",
    test: 'test/notifications/webhooks.test.ts',
    title: 'whose secret is rotated is signed with both',
  },
  {
    name: 'old-secret-signs-for-ever',
    promise: 'a replaced secret signs for 24 hours',
    from: "return Number(stored.split('@')[1] ?? Number.POSITIVE_INFINITY)",
    to: 'return stored === null ? 0 : Number.POSITIVE_INFINITY',
    test: 'test/notifications/webhooks.test.ts',
    title: 'whose secret is rotated is signed with both',
  },
  {
    name: 'another-id-with-each-try',
    promise: 'each try of a message to a webhook has the same id',
    from: "'webhook-id': id,",
    to: "'webhook-id': `${id}${timestamp}`,",
    test: 'test/notifications/webhooks.test.ts',
    title: 'gets the same message again with the same id',
  },
  {
    name: 'webhook-into-a-private-network',
    promise: 'nothing is sent to a name with one private address among others',
    from: 'if (addresses.some((address) => !isPublicAddress(address)))',
    to: 'if (addresses.every((address) => !isPublicAddress(address)))',
    test: 'test/notifications/public-address.node.test.ts',
  },
  {
    name: 'message-without-consent',
    promise: 'a chat gets messages only with its consent',
    from: 'return consent !== undefined && consent.memberId !== null',
    to: 'return true',
    test: 'test/notifications/consents.test.ts',
    title: 'is given by signing in to the account',
  },
  {
    name: 'message-that-may-come-twice',
    promise: 'a message to a chat whose sending was interrupted is not sent again',
    from: "if (delivery.status === 'sending' && subscription.target.type !== 'webhook')",
    to: "if (delivery.status === 'sending' && subscription.target.type === 'webhook')",
    test: 'test/notifications/delivering.test.ts',
    title: 'whose sending was interrupted is not sent again',
  },
  {
    name: 'alert-at-every-check',
    promise: 'an alert tells once that it starts',
    from: 'if (finding.isActive === isActive) return null',
    to: 'if (!finding.isActive && !isActive) return null',
    test: 'test/notifications/alerts.test.ts',
    title: 'notifies once at the start and once at the end',
  },
  {
    name: 'no-digest-where-clocks-skip-the-hour',
    promise: 'a digest whose hour is skipped comes at the first moment after it',
    from: '.find((local) => local.hour >= hour)',
    to: '.find((local) => local.hour === hour)',
    test: 'test/notifications/moments.node.test.ts',
  },
]
