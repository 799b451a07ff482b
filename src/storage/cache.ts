import { withTimeout } from '../time/with-timeout.ts'
import { putNewest } from './newest.ts'

const KV_TTL_SECONDS = 120
/** A renewal that began longer ago was cut off with its request. */
const RENEWAL_TIMEOUT_MS = 30_000
/** A KV that takes longer than this counts as failed. */
const KV_TIMEOUT_MS = 1_000

interface Snapshot<T> {
  readonly value: T
  /** When the value was read from the database: the age that counts, wherever the copy lies. */
  readonly loadedAt: number
}

export interface SnapshotOptions<T> {
  /** Copies older than this are renewed behind the answer. */
  readonly renewAfterSeconds: number
  /** Copies older than this are never used. */
  readonly expireAfterSeconds: number
  /** How many values an isolate remembers. */
  readonly memoryEntries: number
  /** Prefix of every KV key. */
  readonly prefix: string
  /** Values for which this is false are read from the database every time. */
  readonly keep: (value: T) => boolean
}

/** What one use of the cache needs of its surroundings. */
export interface Surroundings {
  readonly kv: KVNamespace
  readonly now: number
  readonly defer: (work: Promise<unknown>) => void
  /** Called before the database is asked; may throw to prevent that. */
  readonly beforeLoading?: () => void
}

/**
 * Copies of database answers in the isolate's memory and in KV. A copy that grows old is renewed behind the answer, one
 * that is too old is never used, wherever it lies. A KV that fails or is cold costs time only.
 */
export class SnapshotStore<T> {
  readonly #memory = new Map<string, Snapshot<T>>()
  /** When a renewal began, by key. */
  readonly #renewing = new Map<string, number>()
  readonly #options: SnapshotOptions<T>

  constructor(options: SnapshotOptions<T>) {
    this.#options = options
  }

  /** A copy in memory that is young enough to be used as it is. Asks nothing, waits for nothing. */
  recall(key: string, now: number): T | null {
    const copy = this.#memory.get(key)
    return copy && ageSeconds(copy, now) <= this.#options.renewAfterSeconds ? copy.value : null
  }

  within(surroundings: Surroundings): Snapshots<T> {
    const get = (key: string, load: Use<T>['load']) => this.#get(key, { load, ...surroundings })
    return { get: get as Snapshots<T>['get'] }
  }

  async #get(key: string, use: Use<T>): Promise<T | null> {
    const copy = this.#fromMemory(key, use) ?? (await this.#fromKv(key, use))
    if (copy) {
      if (this.#isOld(copy, use)) this.#renew(key, use)
      return copy.value
    }
    use.beforeLoading?.()
    return this.#load(key, use)
  }

  #fromMemory(key: string, use: Use<T>): Snapshot<T> | null {
    const copy = this.#memory.get(key)
    return copy && this.#isUsable(copy, use) ? copy : null
  }

  async #fromKv(key: string, use: Use<T>): Promise<Snapshot<T> | null> {
    const asked = use.kv.get<Snapshot<T>>(this.#options.prefix + key, 'json')
    const copy = await withTimeout(asked, KV_TIMEOUT_MS).catch(() => null)
    if (!copy || !this.#isUsable(copy, use)) return null
    this.#remember(key, copy)
    return copy
  }

  async #load(key: string, use: Use<T>): Promise<T | null> {
    const value = await use.load()
    if (value === null || !this.#options.keep(value)) {
      this.#forget(key, use)
      return value
    }
    const copy = { value, loadedAt: use.now }
    this.#remember(key, copy)
    use.defer(this.#toKv(key, copy, use.kv))
    return value
  }

  /** What was deleted must not come back from KV. */
  #forget(key: string, { kv, defer }: Use<T>): void {
    if (this.#memory.delete(key)) defer(written(kv.delete(this.#options.prefix + key)))
  }

  #toKv(key: string, copy: Snapshot<T>, kv: KVNamespace): Promise<void> {
    return written(kv.put(this.#options.prefix + key, JSON.stringify(copy), { expirationTtl: KV_TTL_SECONDS }))
  }

  /**
   * One renewal per key at a time; where it fails, the copy simply grows too old. One that was cut off with its request
   * does not stand in the way of later ones.
   */
  #renew(key: string, use: Use<T>): void {
    const begun = this.#renewing.get(key)
    if (begun !== undefined && use.now - begun < RENEWAL_TIMEOUT_MS) return
    this.#renewing.set(key, use.now)
    const renewal = this.#newer(key, use)
      .catch(() => undefined)
      .finally(() => this.#renewing.delete(key))
    use.defer(renewal)
  }

  /** Another isolate may have renewed the copy in KV already; only one that is old there too is read from the database. */
  async #newer(key: string, use: Use<T>): Promise<void> {
    const copy = await this.#fromKv(key, use)
    if (!copy || this.#isOld(copy, use)) await this.#load(key, use)
  }

  #remember(key: string, copy: Snapshot<T>): void {
    putNewest(this.#memory, [key, copy], this.#options.memoryEntries)
  }

  #isOld(copy: Snapshot<T>, use: Use<T>): boolean {
    return ageSeconds(copy, use.now) > this.#options.renewAfterSeconds
  }

  #isUsable(copy: Snapshot<T>, use: Use<T>): boolean {
    return ageSeconds(copy, use.now) < this.#options.expireAfterSeconds
  }
}

/** A store as one request sees it. `load` returns null for what does not exist; that is never kept. */
export interface Snapshots<T> {
  get(key: string, load: () => Promise<T>): Promise<T>
  get(key: string, load: () => Promise<T | null>): Promise<T | null>
}

type Use<T> = Surroundings & { readonly load: () => Promise<T | null> }

/** Behind the answer there is more time; a write that fails costs a later request its copy, and nothing else. */
const KV_WRITE_TIMEOUT_MS = 10_000

function written(write: Promise<void>): Promise<void> {
  return withTimeout(write, KV_WRITE_TIMEOUT_MS).catch(() => undefined)
}

function ageSeconds(copy: Snapshot<unknown>, now: number): number {
  return (now - copy.loadedAt) / 1000
}
