import { enlarged } from './flat-arrays.ts'
import type { Store } from './store.ts'

const MARKS = 'known before'

/** A mark for each user: 1 for those who were there before the first day that is kept. */
export class KnownBefore {
  readonly #store: Store
  #marks: Uint8Array | undefined
  #count: number

  /** Throws `Damaged` if there are not as many marks. */
  constructor(store: Store, count: number) {
    this.#store = store
    this.#count = count
    store.requireLength(MARKS, Uint8Array, count)
  }

  has(user: number): boolean {
    return this.#read()[user] === 1
  }

  /**
   * Learns the marks of some users. `count` includes new users, who had no marks. Returns whether the mark of an older user changed.
   * Runs within a transaction.
   */
  learn(marks: Iterable<readonly [user: number, mark: number]>, count: number): boolean {
    const all = enlarged(this.#read(), count)
    let isChanged = false
    for (const [user, mark] of marks) {
      isChanged ||= user < this.#count && all[user] !== mark
      all[user] = mark
    }
    const from = isChanged ? 0 : this.#count
    if (from < count) this.#store.appendArray(MARKS, from, all.slice(from))
    this.#marks = all
    this.#count = count
    return isChanged
  }

  #read(): Uint8Array {
    this.#marks ??= this.#store.readArray(MARKS, Uint8Array, this.#count)
    return this.#marks
  }
}
