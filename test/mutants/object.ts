import type { Mutant } from './mutant.ts'

/** The object of an application. */
export const object: readonly Mutant[] = [
  {
    name: 'loses-an-alarm',
    promise: 'a run that fails is tried again',
    from: 'await this.#ringBy(this.#alarmed.now() + Math.min(SHORTEST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS))',
    to: '',
    test: 'test/object/application-object.test.ts',
    title: 'retries with pauses that grow',
  },
  {
    name: 'forgets-what-is-left-over',
    promise: 'what one alarm does not get to is for the next one',
    from: 'if (more) await this.#ringBy(this.#alarmed.now())',
    to: '',
    test: 'test/object/alarms.node.test.ts',
  },
  {
    name: 'as-of-a-moment-that-is-not-read',
    promise: 'figures-as-of is never later than what is counted',
    from: "if (isUpToDate) store.setNote('as of', now)",
    to: "store.setNote('as of', now)",
    test: 'test/object/partitionings.test.ts',
    title: 'figures-as-of stays where it is',
  },
  {
    name: 'caller-with-much-work-comes-first',
    promise: 'the caller who has used the least time is next',
    from: 'if (!next || caller.used < next.used) next = caller',
    to: 'if (!next || caller.used > next.used) next = caller',
    test: 'test/object/fair-queue.node.test.ts',
  },
]
