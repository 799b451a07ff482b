import type { Derivation, Param } from '../columns.ts'
import { NONE } from './filter.ts'
import { textOfJson } from './matching.ts'
import type { SelectableRows } from './rows.ts'

/** A parameter's values in a segment, each as 96 bits that no other text has: in 10^12 values, the odds against that are one in 10^5. */
export interface HashedTexts {
  /** The code of each event's value. */
  readonly codes: Uint16Array
  /** One byte per code: 1 if it stands for a value. */
  readonly isPresent: Uint8Array
  /** The hash of each code's value, as three numbers. */
  readonly hashes: Uint32Array
}

export const HASH_WORDS = 3

/** A parameter of a segment as hashes: made once, and cached beside the segment. Null if no event has it. */
export function hashedTextsOf(rows: SelectableRows, name: string): HashedTexts | null {
  return rows.derived?.(name, HASHED_TEXTS) ?? null
}

const HASHED_TEXTS: Derivation<HashedTexts> = {
  kind: 'hashes',
  make: hashedTextsIn,
  bytesOf: ({ codes, isPresent, hashes }) => codes.byteLength + isPresent.byteLength + hashes.byteLength,
}

export function hashedTextsIn({ codes, values }: Param): HashedTexts {
  const isPresent = new Uint8Array(values.length + 1)
  const hashes = new Uint32Array(HASH_WORDS * (values.length + 1))
  for (const [index, json] of values.entries()) {
    const text = textOfJson(json)
    if (text === null || text === NONE) continue
    isPresent[index + 1] = 1
    hash(text, hashes, HASH_WORDS * (index + 1))
  }
  return { codes, isPresent, hashes }
}

/** Three multiplicative hashes, of which each one depends on those before it. */
function hash(text: string, hashes: Uint32Array, at: number): void {
  let [a, b, c] = [0x811c9dc5, 0x9e3779b9 ^ text.length, 0x85ebca6b]
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    a = Math.imul(a ^ unit, 0x9e3779b1)
    b = Math.imul(b ^ unit ^ (a >>> 15), 0x5f356495)
    c = Math.imul(c ^ unit ^ (b >>> 13), 0x85ebca6b)
  }
  hashes[at] = mixed(a ^ (c >>> 16))
  hashes[at + 1] = mixed(b ^ (a >>> 16))
  hashes[at + 2] = mixed(c ^ (b >>> 16))
}

function mixed(hash: number): number {
  const once = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35)
  return twice ^ (twice >>> 16)
}
