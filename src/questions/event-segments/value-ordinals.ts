import type { Columns, Segment } from '../../columns/columns.ts'
import { enlarged } from '../../columns/flat-arrays.ts'
import { newOwner, segmentCache } from '../../columns/segment-cache.ts'
import { HASH_WORDS, type HashedTexts, hashedTextsIn, hashedTextsOf } from '../../columns/selection/hashed-texts.ts'
import { isInShare, type Share } from '../../columns/selection/share.ts'

/** A segment's values by their ordinals. */
export interface SegmentValues {
  /** Per event: the code of its value. */
  readonly codes: Uint16Array
  /** Per code: the ordinal of its value; 0 if there is no value, or if the value is not in the share. */
  readonly ordinals: Uint32Array
}

const MIN_SLOTS = 1_024

/** Numbers values by their hashes, from 1 on in order of first sight: an open hash table in flat arrays. */
export class ValueOrdinals {
  readonly #kind = `ordinals ${newOwner()}`
  readonly #share: Share
  readonly #max: number
  /** Per slot: an ordinal, or 0 if the slot is free. At least half of the slots are free. */
  #slots = new Uint32Array(MIN_SLOTS)
  /** `HASH_WORDS` words per ordinal. */
  #hashes = new Uint32Array((MIN_SLOTS / 2) * HASH_WORDS)
  count = 0

  /** Numbers the values of a share, and stops once there are more than `max`. */
  constructor(share: Share, max: number) {
    this.#share = share
    this.#max = max
  }

  get byteLength(): number {
    return this.#slots.byteLength + this.#hashes.byteLength
  }

  /** Whether there are more values than `max`; a single one is never too many. */
  get isOverfull(): boolean {
    return this.count > Math.max(1, this.#max)
  }

  /**
   * The values of a segment's parameter; null if no event has it. Ordinals of all values are cached beside the segment.
   */
  valuesOf(segment: Segment, name: string): SegmentValues | null {
    if (this.#share.of > 1) {
      const texts = hashedTextsOf(segment, name)
      return texts && this.#of(texts)
    }
    return segment.derived(name, {
      kind: this.#kind,
      make: (param) => this.#of(hashedTextsIn(param)),
      bytesOf: ({ codes, ordinals }) => codes.byteLength + ordinals.byteLength,
    })
  }

  #of(texts: HashedTexts): SegmentValues {
    return { codes: texts.codes, ordinals: this.of(texts) }
  }

  /** Per code: the ordinal of its value; new values get the next ordinals. */
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

  /** The hash of the value with an ordinal. */
  hashOf(ordinal: number): Uint32Array {
    return this.#hashes.subarray(HASH_WORDS * ordinal, HASH_WORDS * (ordinal + 1))
  }

  #ordinalOf(hashes: Uint32Array, at: number): number {
    const slot = this.#slotOf(hashes, at)
    const known = this.#slots[slot] as number
    if (known > 0) return known
    this.count += 1
    this.#slots[slot] = this.count
    for (let word = 0; word < HASH_WORDS; word++)
      this.#hashes[HASH_WORDS * this.count + word] = hashes[at + word] as number
    if (2 * (this.count + 1) >= this.#slots.length) this.#grow()
    return this.count
  }

  /** The slot of a hash, or the free one where it belongs. */
  #slotOf(hashes: Uint32Array, at: number): number {
    const [slots, known, last] = [this.#slots, this.#hashes, this.#slots.length - 1]
    const [a, b, c] = [hashes[at] as number, hashes[at + 1] as number, hashes[at + 2] as number]
    // The second word chooses the slot, because the first one chooses the share.
    for (let slot = b & last; ; slot = (slot + 1) & last) {
      const first = HASH_WORDS * (slots[slot] as number)
      if (first === 0 || (known[first] === a && known[first + 1] === b && known[first + 2] === c)) return slot
    }
  }

  #grow(): void {
    this.#slots = new Uint32Array(2 * this.#slots.length)
    this.#hashes = enlarged(this.#hashes, (this.#slots.length / 2) * HASH_WORDS)
    for (let ordinal = 1; ordinal <= this.count; ordinal++) {
      this.#slots[this.#slotOf(this.#hashes, HASH_WORDS * ordinal)] = ordinal
    }
  }
}

const owners = new WeakMap<Columns, string>()

/** The ordinals that earlier questions gave to the values of a parameter, in the cache of segments. */
export function keptOrdinals(columns: Columns, name: string) {
  const owner = owners.get(columns) ?? newOwner()
  owners.set(columns, owner)
  const key = `${owner} ordinals of ${name}`
  return {
    known: segmentCache.get<ValueOrdinals>(key),
    keep: (ordinals: ValueOrdinals) => segmentCache.set(key, ordinals, ordinals.byteLength),
  }
}
