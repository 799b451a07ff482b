const KEY = 'counts'

/** What isolates have counted since the service was deployed first, for `GET /metrics`. */
export class KeptCounts {
  readonly #storage: DurableObjectStorage

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage
  }

  /** Returns all counts, with these added. */
  async add(more: Readonly<Record<string, number>>): Promise<Readonly<Record<string, number>>> {
    const counts = new Map(Object.entries((await this.#storage.get<Record<string, number>>(KEY)) ?? {}))
    const added = Object.entries(more)
    for (const [series, value] of added) counts.set(series, (counts.get(series) ?? 0) + value)
    const all = Object.fromEntries(counts)
    if (added.length > 0) await this.#storage.put(KEY, all)
    return all
  }
}
