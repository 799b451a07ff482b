import { enlarged } from './flat-arrays.ts'
import type { Store } from './store.ts'

/** Numbers ids (of messenger users, of contexts in the database) from 0 on, in the order in which they are first seen. */
export class Ordinals {
  /** The id of each ordinal. The array may be longer than needed. */
  ids: Float64Array
  /** Open addressing: ordinal + 1 of the id that hashes here, 0 if there is none. A power of two, at most half full. */
  #slots: Uint32Array
  count: number

  constructor(ids: Float64Array) {
    this.ids = ids
    this.count = ids.length
    this.#slots = new Uint32Array(0)
    this.#index(slotsFor(this.count))
  }

  /** The ordinal of an id, a new one if it was never seen. */
  of(id: number): number {
    const slot = this.#slotOf(id)
    const known = this.#slots[slot] as number
    if (known > 0) return known - 1
    if (this.count === this.ids.length) this.ids = enlarged(this.ids, Math.max(64, this.ids.length * 2))
    this.ids[this.count] = id
    this.count += 1
    this.#slots[slot] = this.count
    if (this.count * 2 > this.#slots.length) this.#index(this.#slots.length * 2)
    return this.count - 1
  }

  has(id: number): boolean {
    return this.find(id) !== null
  }

  /** The ordinal of an id; null if it was never seen. */
  find(id: number): number | null {
    const known = this.#slots[this.#slotOf(id)] as number
    return known === 0 ? null : known - 1
  }

  #slotOf(id: number): number {
    const mask = this.#slots.length - 1
    let slot = hash(id) & mask
    for (;;) {
      const known = this.#slots[slot] as number
      if (known === 0 || this.ids[known - 1] === id) return slot
      slot = (slot + 1) & mask
    }
  }

  #index(slots: number): void {
    this.#slots = new Uint32Array(slots)
    for (let ordinal = 0; ordinal < this.count; ordinal += 1) {
      this.#slots[this.#slotOf(this.ids[ordinal] as number)] = ordinal + 1
    }
  }
}

function slotsFor(count: number): number {
  let slots = 64
  while (slots < count * 2) slots *= 2
  return slots
}

/** Both halves of a number below 2^53, mixed (the finalizer of MurmurHash3). */
function hash(id: number): number {
  let mixed = (id | 0) ^ Math.imul((id / 4294967296) | 0, 0x9e3779b1)
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

/** Ordinals that an object keeps: an array of ids, and a note of the same name that tells how many there are. */
export class StoredOrdinals {
  readonly #store: Store
  readonly #name: string
  #ordinals: Ordinals | undefined
  /** How many are stored. */
  count: number

  /** Throws `Damaged` if the array is not as long as the note says. */
  constructor(store: Store, name: string) {
    this.#store = store
    this.#name = name
    this.count = store.note<number>(name) ?? 0
    store.requireLength(name, Float64Array, this.count)
  }

  /** Includes new ones that are not stored yet. */
  get all(): Ordinals {
    this.#ordinals ??= new Ordinals(this.#store.readArray(this.#name, Float64Array, this.count))
    return this.#ordinals
  }

  /** The stored ones. */
  get ids(): Float64Array {
    return this.all.ids.subarray(0, this.count)
  }

  /** Stores the new ones. Runs within a transaction. */
  store(): void {
    const { ids, count } = this.all
    if (count === this.count) return
    this.#store.appendArray(this.#name, this.count, ids.slice(this.count, count))
    this.#store.setNote(this.#name, count)
    this.count = count
  }
}
