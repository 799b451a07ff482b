/** Results in the isolate's memory, by the text they were made from; when there are too many, all are forgotten. */
export class Memo<T> {
  readonly #results = new Map<string, T>()
  readonly #most: number

  constructor(most: number) {
    this.#most = most
  }

  get(key: string, make: (key: string) => T): T {
    const known = this.recall(key)
    if (known !== undefined) return known
    const result = make(key)
    this.keep(key, result)
    return result
  }

  recall(key: string): T | undefined {
    return this.#results.get(key)
  }

  keep(key: string, result: T): void {
    if (this.#results.size >= this.#most) this.#results.clear()
    this.#results.set(key, result)
  }
}
