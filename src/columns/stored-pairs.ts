import type { Pairs } from './columns.ts'
import { lastsOf, type StampedPairs } from './day-pairs.ts'
import type { Codes, PairCounts } from './flat-arrays.ts'
import { type ArrayType, CODES, COUNTS, fromBlob, type Numbers, narrowed } from './store.ts'

/** Everything that is stored of a day's pairs. */
export type WholePairs = Pairs & StampedPairs

const TYPES = { users: Uint32Array, contexts: CODES, counts: COUNTS, lasts: Uint8Array, stamps: Float64Array } as const

export type PairColumn = keyof typeof TYPES

/** Blobs of a row, in the order of the table's columns. */
export const PAIR_COLUMNS = Object.keys(TYPES) as PairColumn[]

export function toStored(pairs: StampedPairs): WholePairs {
  const [contexts, counts] = [narrowed(pairs.contexts, CODES), narrowed(pairs.counts, COUNTS)]
  return { ...pairs, contexts, counts, lasts: lastsOf(pairs) }
}

interface PageBlob {
  readonly data: unknown
  readonly length: number
  readonly label: string
}

/** A column of a day from its pages, which were written together, and so are of one type. */
export function fromPages<Name extends PairColumn>(name: Name, pages: readonly PageBlob[]): WholePairs[Name] {
  const arrays = pages.map(({ data, ...of }) => fromBlob<Numbers>(data, TYPES[name], of))
  return joined(arrays) as WholePairs[Name]
}

function joined(arrays: readonly Numbers[]): Numbers {
  const [first = new Uint32Array(0)] = arrays
  if (arrays.length <= 1) return first
  const type = first.constructor as ArrayType<Numbers>
  const all = new type(arrays.reduce((sum, { length }) => sum + length, 0))
  let offset = 0
  for (const array of arrays) {
    all.set(array, offset)
    offset += array.length
  }
  return all
}

/** Each column is read when it is first asked for: few questions need all. */
export class StoredPairs implements Pairs {
  readonly length: number
  readonly #read: <Name extends keyof Pairs & PairColumn>(name: Name) => Pairs[Name]

  constructor(length: number, read: <Name extends keyof Pairs & PairColumn>(name: Name) => Pairs[Name]) {
    this.length = length
    this.#read = read
  }

  get users(): Uint32Array {
    return this.#read('users')
  }

  get contexts(): Codes {
    return this.#read('contexts')
  }

  get counts(): PairCounts {
    return this.#read('counts')
  }

  get lasts(): Uint8Array {
    return this.#read('lasts')
  }
}
