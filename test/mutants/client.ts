import type { Mutant } from './mutant.ts'

/** The tracking client. */
export const client: readonly Mutant[] = [
  {
    name: 'client-drops-what-waits',
    promise: 'events wait in a client while the service does not take them',
    from: 'retrying.failed(answer.retryAfterMs)',
    to: 'remove(sent)\n      retrying.failed(answer.retryAfterMs)',
    test: 'test/client/bot-sending.node.test.ts',
    title: 'where the service does not take events',
  },
  {
    name: 'client-session-that-never-ends',
    promise: 'a session of a client ends after half an hour without an event',
    from: 'return Math.abs(now / 1000 - last) < IDLE_SECONDS',
    to: 'return now / 1000 - last < 2 * IDLE_SECONDS',
    test: 'test/client/session.node.test.ts',
  },
]
