// The two kinds of cache in an isolate's memory.

/** Holds a bounded number of entries; the one that was set first goes first. */
export class EntryCache<V, K = string> {
  readonly #entries = new Map<K, V>()
  readonly #maxEntries: number

  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries
  }

  get(key: K): V | undefined {
    return this.#entries.get(key)
  }

  /** Makes the entry the newest one, even if the key is there already. */
  set(key: K, value: V): void {
    this.#entries.delete(key)
    this.#entries.set(key, value)
    if (this.#entries.size <= this.#maxEntries) return
    for (const oldest of this.#entries.keys()) {
      this.#entries.delete(oldest)
      return
    }
  }

  getOrSet(key: K, make: (key: K) => V): V {
    const known = this.#entries.get(key)
    if (known !== undefined) return known
    const value = make(key)
    this.set(key, value)
    return value
  }

  delete(key: K): boolean {
    return this.#entries.delete(key)
  }

  clear(): void {
    this.#entries.clear()
  }
}

/** Roughly what a key and the objects around a value take. For many small values, that is most of it. */
const ENTRY_BYTES = 1_000

interface Entry {
  readonly value: unknown
  readonly bytes: number
}

/** The share of the bytes that is for entries that pass through. */
const PASSING_SHARE = 1 / 8
/** The most keys of entries that went that are remembered. */
const MOST_GONE = 4_096
/** The share of returning entries that take the place of another one: one in this many. */
const RETURNING = 8

/**
 * Holds a bounded number of bytes; the least recently used entry goes first. An entry that comes back soon after it went is one of
 * more than there is room for, used in turn: most of these only pass through, so that the others are there when their turn comes.
 * A value must never be changed.
 */
export class ByteCache {
  readonly #entries = new Map<string, Entry>()
  /** Entries that pass through, the newest last. */
  readonly #passing = new Map<string, Entry>()
  readonly #gone = new EntryCache<true>(MOST_GONE)
  readonly #maxBytes: number
  #bytes = 0
  #passingBytes = 0
  #returned = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  get<T>(key: string): T | undefined {
    const known = this.#entries.get(key)
    if (!known) return this.#passing.get(key)?.value as T | undefined
    this.#entries.delete(key)
    this.#entries.set(key, known)
    return known.value as T
  }

  /** Unlike `get`, this does not count as a use. */
  has(key: string): boolean {
    return this.#entries.has(key) || this.#passing.has(key)
  }

  /** The key must not be there yet. */
  add(key: string, value: unknown, bytes: number): void {
    const entry = { value, bytes: bytes + ENTRY_BYTES }
    const isFull = this.#bytes + entry.bytes > this.#maxBytes
    if (isFull && this.#gone.delete(key) && this.#returned++ % RETURNING > 0) {
      this.#passing.set(key, entry)
      this.#passingBytes += entry.bytes
    } else this.#entries.set(key, entry)
    this.#bytes += entry.bytes
    this.#makeRoom()
  }

  #makeRoom(): void {
    for (const key of this.#passing.keys()) {
      if (this.#passingBytes <= this.#maxBytes * PASSING_SHARE) break
      this.#delete(key)
      this.#gone.set(key, true)
    }
    for (const key of this.#entries.keys()) {
      if (this.#bytes <= this.#maxBytes) return
      this.#delete(key)
      this.#gone.set(key, true)
    }
  }

  #delete(key: string): void {
    const { bytes = 0 } = this.#entries.get(key) ?? {}
    const { bytes: passing = 0 } = this.#passing.get(key) ?? {}
    this.#entries.delete(key)
    this.#passing.delete(key)
    this.#bytes -= bytes + passing
    this.#passingBytes -= passing
  }

  /** Adds the entry, or says how much it takes now, as the newest one. */
  set(key: string, value: unknown, bytes: number): void {
    this.#delete(key)
    this.add(key, value, bytes)
  }

  getOrAdd<T>(key: string, read: () => T, bytesOf: (value: T) => number): T {
    const known = this.get<T>(key)
    if (known !== undefined) return known
    const value = read()
    this.add(key, value, bytesOf(value))
    return value
  }
}
