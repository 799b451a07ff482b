/** From when to when the service was disturbed, on the clock of the run. */
interface Interval {
  readonly from: number
  readonly to: number
}

/** After a disturbance, what failed still waits for its next try. */
const RECOVERY_MS = 5_000

/** Takes note of when the service is disturbed. */
export class Disturbed {
  readonly #intervals: { from: number; to: number }[] = []

  get intervals(): readonly Interval[] {
    return this.#intervals
  }

  get isNow(): boolean {
    return this.#intervals.at(-1)?.to === Number.POSITIVE_INFINITY
  }

  async during<T>(disturbance: Promise<T>): Promise<T> {
    const noted = { from: performance.now(), to: Number.POSITIVE_INFINITY }
    this.#intervals.push(noted)
    try {
      return await disturbance
    } finally {
      noted.to = performance.now()
    }
  }

  /** Whether the service was disturbed, or had not recovered yet, at some moment between these. */
  between(start: number, end: number): boolean {
    return this.#intervals.some(({ from, to }) => from < end && to + RECOVERY_MS > start)
  }
}
