import fc from 'fast-check'
import { expect, inject, it } from 'vitest'
import type { RareStates } from './rare-states.ts'

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
  /** While one of them never occurred, cases are tried beyond the time, so that no run fails by chance. */
  readonly states?: RareStates<string>
  /** Where looking for a smaller counterexample would take too long. */
  readonly endOnFailure?: true
}

/** A state that does not occur for so long is out of the generator's reach. */
const STATES_MS = 60_000

/**
 * The property holds for random cases, as many as the time allows; `CASES_MS=60000 npm test` allows each a minute. They come
 * in rounds: fast-check's own limit knows no least number, and leaves the case that it interrupts running behind the next test.
 */
export async function holds<T>(
  property: fc.IRawProperty<T>,
  { atLeast, atMost, seed, states, ...others }: Cases,
): Promise<void> {
  const end = performance.now() + inject('casesMs')
  const isLacking = () => states !== undefined && states.missing.length > 0 && performance.now() < end + STATES_MS
  for (let tried = 0; tried < atMost || isLacking(); tried += atLeast) {
    if (tried > 0 && performance.now() > end && !isLacking()) return
    await fc.assert(property, { ...others, numRuns: atLeast, ...(seed && { seed: seed + tried }) })
  }
}

/** The last test of a file: its random cases reached all rare states that it is about. */
export function reachesAll(states: RareStates<string>): void {
  it('reaches the rare states that it declares', () => {
    expect(states.missing).toEqual([])
  })
}
