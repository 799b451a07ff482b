import { withTimeout } from '../base/time/with-timeout.ts'
import { EntryCache } from './memory.ts'

const KV_TTL_SECONDS = 120
/** A renewal that began longer ago was cut off together with its request. */
const RENEWAL_TIMEOUT_MS = 30_000
/** A slower KV counts as failed. */
const KV_TIMEOUT_MS = 1_000

interface Snapshot<T> {
  readonly value: T
  /** When the value was read from the database. Age counts from here, in memory and in KV. */
  readonly loadedAt: number
}

interface SnapshotOptions<T> {
  /** Older copies are used and then renewed after the response is sent. */
  readonly renewAfterSeconds: number
  /** Copies older than this are never used. */
  readonly expireAfterSeconds: number
  /** How many values an isolate holds in memory. */
  readonly memoryEntries: number
  /** Prefix of every KV key. */
  readonly prefix: string
  /** Values for which this is false are never cached. */
  readonly keep: (value: T) => boolean
  /** The group with which a value's copies are discarded; by default there are none. */
  readonly groupOf?: (value: T) => string
}

/** Copies that `discard` discards. */
interface Discarding {
  readonly group: string
  /** Keys under which KV may have copies of the group. */
  readonly keys: readonly string[]
  readonly kv: KVNamespace
  readonly now: number
}

/** What one request brings along. */
interface CacheContext {
  readonly kv: KVNamespace
  readonly now: number
  readonly defer: (work: Promise<unknown>) => void
  /** Called before the database is queried; throws to prevent that. */
  readonly beforeLoading?: () => void
}

/**
 * Copies of database results in the isolate's memory and in KV. An aging copy is renewed after the response is sent; an
 * expired one is never used. A KV that fails or is cold only costs time.
 */
export class SnapshotStore<T> {
  readonly #memory: EntryCache<Snapshot<T>>
  /** When a renewal began, by key. */
  readonly #renewing = new Map<string, number>()
  /** When each group's copies were discarded. */
  readonly #discardedAt: EntryCache<number>
  readonly #options: SnapshotOptions<T>

  constructor(options: SnapshotOptions<T>) {
    this.#options = options
    this.#memory = new EntryCache(options.memoryEntries)
    this.#discardedAt = new EntryCache(options.memoryEntries)
  }

  /** A copy in memory that needs no renewal yet. Synchronous. */
  recall(key: string, now: number): T | null {
    const copy = this.#memory.get(key)
    const isYoung = copy && ageSeconds(copy, now) <= this.#options.renewAfterSeconds && !this.#isDiscarded(copy)
    return isYoung ? copy.value : null
  }

  /**
   * After a change: this isolate uses no copy of the group that was loaded until now, even if it arrives from KV later. Other isolates
   * find none in KV; those in their memories expire.
   */
  async discard({ group, keys, kv, now }: Discarding): Promise<void> {
    this.#discardedAt.set(group, now)
    await Promise.all(keys.map((key) => written(kv.delete(this.#options.prefix + key))))
  }

  within(context: CacheContext): Snapshots<T> {
    const get = (key: string, load: Use<T>['load']) => this.#get(key, { load, ...context })
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
    this.#memory.set(key, copy)
    return copy
  }

  async #load(key: string, use: Use<T>): Promise<T | null> {
    const value = await use.load()
    if (value === null || !this.#options.keep(value)) {
      this.#forget(key, use)
      return value
    }
    const copy = { value, loadedAt: use.now }
    this.#memory.set(key, copy)
    use.defer(this.#toKv(key, copy, use.kv))
    return value
  }

  /** A deleted value must not come back from KV. */
  #forget(key: string, { kv, defer }: Use<T>): void {
    if (this.#memory.delete(key)) defer(written(kv.delete(this.#options.prefix + key)))
  }

  #toKv(key: string, copy: Snapshot<T>, kv: KVNamespace): Promise<void> {
    return written(kv.put(this.#options.prefix + key, JSON.stringify(copy), { expirationTtl: KV_TTL_SECONDS }))
  }

  /**
   * One renewal per key at a time. If it fails, the copy expires in time; if it was cut off together with its request, a
   * later one takes its place.
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

  /** Another isolate may have renewed the copy in KV already, which saves the database a query. */
  async #newer(key: string, use: Use<T>): Promise<void> {
    const copy = await this.#fromKv(key, use)
    if (!copy || this.#isOld(copy, use)) await this.#load(key, use)
  }

  #isOld(copy: Snapshot<T>, use: Use<T>): boolean {
    return ageSeconds(copy, use.now) > this.#options.renewAfterSeconds
  }

  #isUsable(copy: Snapshot<T>, use: Use<T>): boolean {
    return ageSeconds(copy, use.now) < this.#options.expireAfterSeconds && !this.#isDiscarded(copy)
  }

  #isDiscarded({ value, loadedAt }: Snapshot<T>): boolean {
    const { groupOf } = this.#options
    return groupOf !== undefined && loadedAt <= (this.#discardedAt.get(groupOf(value)) ?? Number.NEGATIVE_INFINITY)
  }
}

/** A store as one request sees it. `load` returns null for what does not exist; null is never cached. */
export interface Snapshots<T> {
  get(key: string, load: () => Promise<T>): Promise<T>
  get(key: string, load: () => Promise<T | null>): Promise<T | null>
}

type Use<T> = CacheContext & { readonly load: () => Promise<T | null> }

/** Writes run after the response is sent, so they may take longer. A failed one only costs a later request its copy. */
const KV_WRITE_TIMEOUT_MS = 10_000

function written(write: Promise<void>): Promise<void> {
  return withTimeout(write, KV_WRITE_TIMEOUT_MS).catch(() => undefined)
}

function ageSeconds(copy: Snapshot<unknown>, now: number): number {
  return (now - copy.loadedAt) / 1000
}
