import type { Mutant } from './mutant.ts'

/** Databases and caches. */
export const storage: readonly Mutant[] = [
  {
    name: 'cache-that-outlives-a-change',
    promise: 'a copy that was loaded before a change is not used after it',
    from: 'return groupOf !== undefined && loadedAt <= (this.#discardedAt.get(groupOf(value)) ?? Number.NEGATIVE_INFINITY)',
    to: 'return false',
    test: 'test/storage/snapshots.test.ts',
    title: 'a discarded copy',
  },
  {
    name: 'copy-that-never-expires',
    promise: 'no copy is older than 75 seconds',
    from: 'return ageSeconds(copy, use.now) < this.#options.expireAfterSeconds && !this.#isDiscarded(copy)',
    to: 'return !this.#isDiscarded(copy)',
    test: 'test/storage/snapshots.test.ts',
    title: 'keeps its age on its way through KV',
  },
]
