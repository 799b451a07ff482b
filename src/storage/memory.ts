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

/** Holds a bounded number of bytes; the least recently used entry goes first. A value must never be changed. */
export class ByteCache {
  readonly #entries = new Map<string, { readonly value: unknown; readonly bytes: number }>()
  readonly #maxBytes: number
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  get<T>(key: string): T | undefined {
    const known = this.#entries.get(key)
    if (!known) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, known)
    return known.value as T
  }

  /** Unlike `get`, this does not count as a use. */
  has(key: string): boolean {
    return this.#entries.has(key)
  }

  /** The key must not be there yet. */
  add(key: string, value: unknown, bytes: number): void {
    this.#entries.set(key, { value, bytes: bytes + ENTRY_BYTES })
    this.#bytes += bytes + ENTRY_BYTES
    for (const [oldest, { bytes: freed }] of this.#entries) {
      if (this.#bytes <= this.#maxBytes) return
      this.#entries.delete(oldest)
      this.#bytes -= freed
    }
  }

  /** Adds the entry, or says how much it takes now, as the newest one. */
  set(key: string, value: unknown, bytes: number): void {
    const known = this.#entries.get(key)
    this.#entries.delete(key)
    this.#bytes -= known?.bytes ?? 0
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
