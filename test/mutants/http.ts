import type { Mutant } from './mutant.ts'

/** The protocol. */
export const http: readonly Mutant[] = [
  {
    name: 'budgets-that-are-one',
    promise: 'spending one budget of a key does not touch the others',
    from: 'spend(c, BUDGETS[name].key, keyHash)',
    to: "spend(c, BUDGETS[name === 'collection' ? 'questions' : name].key, keyHash)",
    test: 'test/http/limits.test.ts',
    title: 'does not touch the others',
  },
  {
    name: 'body-without-end',
    promise: 'a body over 1 MiB is refused',
    from: 'if (bytes > maxBytes) return null',
    to: 'if (bytes > 2 * maxBytes) return null',
    test: 'test/http/request-body.test.ts',
  },
]
