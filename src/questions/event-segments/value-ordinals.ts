import { HASH_WORDS, type HashedTexts } from '../../columns/selection/hashed-texts.ts'
import { isInShare, type Share } from '../../columns/selection/share.ts'

/** The words of a hash and an ordinal: a power of two. */
const SLOT_WORDS = HASH_WORDS + 1
const MIN_SLOTS = 1_024

/** Numbers values by their hashes, from 1 on in order of first sight: an open hash table in flat arrays. */
export class ValueOrdinals {
  readonly #share: Share
  readonly #max: number
  /** Slot by slot: a hash, then its ordinal; 0 where the slot is free. */
  #slots = new Uint32Array(MIN_SLOTS * SLOT_WORDS)
  count = 0

  /** Of a share of all values, at most so many. */
  constructor(share: Share, max: number) {
    this.#share = share
    this.#max = max
  }

  /** Whether there were more; only one value is never too many. */
  get isOverfull(): boolean {
    return this.count > Math.max(1, this.#max)
  }

  /** By code: the ordinal of its value; 0 where it is missing, or not in the share. */
  of({ isPresent, hashes }: Pick<HashedTexts, 'isPresent' | 'hashes'>): Uint32Array {
    const ordinals = new Uint32Array(isPresent.length)
    for (let code = 0; code < ordinals.length; code++) {
      if (isPresent[code] === 0) continue
      const at = HASH_WORDS * code
      if (this.#share.of > 1 && !isInShare(hashes[at] as number, this.#share)) continue
      ordinals[code] = this.#ordinalOf(hashes, at)
      if (this.isOverfull) break
    }
    return ordinals
  }

  /** The hashes of all values, in order of their ordinals. */
  hashes(): Uint32Array {
    const hashes = new Uint32Array(HASH_WORDS * this.count)
    for (let at = 0; at < this.#slots.length; at += SLOT_WORDS) {
      const ordinal = this.#slots[at + HASH_WORDS] as number
      if (ordinal > 0) hashes.set(this.#slots.subarray(at, at + HASH_WORDS), HASH_WORDS * (ordinal - 1))
    }
    return hashes
  }

  #ordinalOf(hashes: Uint32Array, at: number): number {
    const slot = this.#slotOf(hashes, at)
    const known = this.#slots[slot + HASH_WORDS] as number
    if (known > 0) return known
    this.count += 1
    this.#fill(slot, hashes, at, this.count)
    if (2 * this.count * SLOT_WORDS > this.#slots.length) this.#grow()
    return this.count
  }

  /** The slot of a hash, or the free one where it belongs. */
  #slotOf(hashes: Uint32Array, at: number): number {
    const [slots, last] = [this.#slots, this.#slots.length - 1]
    const [a, b, c] = [hashes[at] as number, hashes[at + 1] as number, hashes[at + 2] as number]
    // By the second number, as shares are of the first one.
    let slot = (b * SLOT_WORDS) & last
    while (slots[slot + HASH_WORDS] !== 0 && (slots[slot] !== a || slots[slot + 1] !== b || slots[slot + 2] !== c)) {
      slot = (slot + SLOT_WORDS) & last
    }
    return slot
  }

  #fill(slot: number, hashes: Uint32Array, at: number, ordinal: number): void {
    for (let word = 0; word < HASH_WORDS; word++) this.#slots[slot + word] = hashes[at + word] as number
    this.#slots[slot + HASH_WORDS] = ordinal
  }

  #grow(): void {
    const before = this.#slots
    this.#slots = new Uint32Array(2 * before.length)
    for (let at = 0; at < before.length; at += SLOT_WORDS) {
      const ordinal = before[at + HASH_WORDS] as number
      if (ordinal > 0) this.#fill(this.#slotOf(before, at), before, at, ordinal)
    }
  }
}
