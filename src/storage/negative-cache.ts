import { putNewest } from './newest.ts'

export interface NegativeCacheOptions {
  /** So long a name that was not found is taken to be missing. */
  readonly seconds: number
  /** How many names an isolate remembers; the oldest is forgotten first. */
  readonly entries: number
}

/**
 * Names that were looked up and do not exist. Kept in the isolate's memory only: KV is paid by the write, so a flood of
 * made-up names would be a flood of paid writes.
 */
export class NegativeCache {
  readonly #missedAt = new Map<string, number>()
  readonly #options: NegativeCacheOptions

  constructor(options: NegativeCacheOptions) {
    this.#options = options
  }

  has(key: string, now: number): boolean {
    const missedAt = this.#missedAt.get(key)
    return missedAt !== undefined && now - missedAt < this.#options.seconds * 1000
  }

  add(key: string, now: number): void {
    putNewest(this.#missedAt, [key, now], this.#options.entries)
  }
}
