import fc from 'fast-check'

const BUDGET_MS = 8_000

interface Cases {
  /** So many are tried on the busiest machine too: with fewer a property would prove nothing. */
  readonly atLeast: number
  /** So many are tried where there is time. */
  readonly atMost: number
  /** For the same cases in every run; else they are new, and a failure names their seed. */
  readonly seed?: number
  /** Where looking for a smaller counterexample would take too long. */
  readonly endOnFailure?: true
}

/**
 * The property holds for random cases, as many as the time allows. They come in rounds: fast-check's own limit knows no least
 * number, and leaves the case that it interrupts running behind the next test.
 */
export async function holds<T>(
  property: fc.IRawProperty<T>,
  { atLeast, atMost, seed, ...others }: Cases,
): Promise<void> {
  const start = performance.now()
  for (let tried = 0; tried < atMost; tried += atLeast) {
    if (tried > 0 && performance.now() - start > BUDGET_MS) return
    await fc.assert(property, { ...others, numRuns: atLeast, ...(seed && { seed: seed + tried }) })
  }
}
