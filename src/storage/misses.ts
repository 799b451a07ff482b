import { putNewest } from './newest.ts'

export interface MissesOptions {
  /** What appears meanwhile is found after so long. */
  readonly seconds: number
  /** How many an isolate remembers. */
  readonly entries: number
}

/**
 * What was looked for and is not there, for a short time and in the isolate's memory alone: in KV, which is paid by the
 * write, every made-up name would be one.
 */
export class Misses {
  readonly #missedAt = new Map<string, number>()
  readonly #options: MissesOptions

  constructor(options: MissesOptions) {
    this.#options = options
  }

  has(key: string, now: number): boolean {
    const missedAt = this.#missedAt.get(key)
    return missedAt !== undefined && now - missedAt < this.#options.seconds * 1000
  }

  /** When there are too many, the oldest is forgotten. */
  add(key: string, now: number): void {
    putNewest(this.#missedAt, [key, now], this.#options.entries)
  }
}
