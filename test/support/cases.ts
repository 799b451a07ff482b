import fc from 'fast-check'
import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** For how long one property is tried with more cases than it needs. */
    casesMs: number
  }
}

interface Cases {
  /** So many are tried on the busiest machine too: with fewer a property would prove nothing. */
  readonly atLeast: number
  /** The most cases that are tried, if there is time. */
  readonly atMost: number
  /** For the same cases in every run; else they are new, and a failure names their seed. */
  readonly seed?: number
  /** Where looking for a smaller counterexample would take too long. */
  readonly endOnFailure?: true
}

/**
 * The property holds for random cases, as many as the time allows; `CASES_MS=60000 npm test` allows each a minute. They come
 * in rounds: fast-check's own limit knows no least number, and leaves the case that it interrupts running behind the next test.
 */
export async function holds<T>(
  property: fc.IRawProperty<T>,
  { atLeast, atMost, seed, ...others }: Cases,
): Promise<void> {
  const end = performance.now() + inject('casesMs')
  for (let tried = 0; tried < atMost; tried += atLeast) {
    if (tried > 0 && performance.now() > end) return
    await fc.assert(property, { ...others, numRuns: atLeast, ...(seed && { seed: seed + tried }) })
  }
}
