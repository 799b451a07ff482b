import { compareTexts } from '../base/text/order.ts'
import type { Derivation, Param, Segment } from './columns.ts'
import { type Codes, lowerBound } from './flat-arrays.ts'
import { type ParamColumns, weightOf as weightOfColumns } from './param-columns.ts'
import { cachedArray, segmentCache } from './segment-cache.ts'
import {
  denseCodes,
  readArrays,
  readCodes,
  readManyArrays,
  readManyRareParams,
  readRareParams,
  readUsualCodes,
  readUsualNames,
  readValues,
  type SegmentSize,
} from './segment-store.ts'
import type { Store } from './store.ts'

type Arrays = Pick<Segment, 'times' | 'users' | 'contexts'> & { readonly keys: Float64Array }

/** Where the parts of a segment come from. */
interface SegmentParts {
  readonly key: string
  array<Name extends keyof Arrays>(name: Name): Arrays[Name]
  /** The parameters that have no rows of their own. */
  rareParams(): ParamColumns
  /** Something else that is read, which may be in memory by this name. */
  cached<T>(name: string, read: () => T, bytesOf: (value: T) => number): T
}

/** Reads nothing of a segment yet: each of its parts is read when first asked for, and cached by this key and its own name. */
export function openSegment(store: Store, size: SegmentSize, key: string): Segment {
  const cached: SegmentParts['cached'] = (name, read, bytesOf) => segmentCache.getOrAdd(`${key} ${name}`, read, bytesOf)
  return new StoredSegment(store, size, {
    key,
    array: (name) => cachedArray(`${key} ${name}`, () => readArrays(store, size, name)[name]),
    rareParams: () => cached('rare', () => readRareParams(store, size), weightOfColumns),
    cached,
  })
}

// With tens of thousands of names, most segments have a few events: reading each one by itself would take longer, and caching it more
// room, than its events.

/** The most events of a small segment: none of its parameters has a row of its own. */
const MAX_EVENTS = 128
/** The parameters of this many segments are in memory at a time; each event may have 16 KB. */
const PARAMS_READ = 16

export function isSmall({ events }: SegmentSize): boolean {
  return events <= MAX_EVENTS
}

/** Reads small segments, by their ids. Nothing of them is cached. */
export function readSmallSegments(
  store: Store,
  sizes: readonly SegmentSize[],
  keyOf: (size: SegmentSize) => string,
): Map<number, Segment> {
  const arrays = readManyArrays(store, sizes, ['times', 'users', 'contexts', 'keys'])
  let params = new Map<number, ParamColumns>()
  // Those of the next segments are read as well: callers go from one segment to the next.
  const rareParams = (index: number, { id }: SegmentSize) => {
    if (!params.has(id)) params = readManyRareParams(store, sizes.slice(index, index + PARAMS_READ))
    return params.get(id) as ParamColumns
  }
  return new Map(
    sizes.map((size, index) => {
      const own = arrays.get(size.id) as Arrays
      const parts: SegmentParts = {
        key: keyOf(size),
        array: (name) => own[name],
        rareParams: () => rareParams(index, size),
        cached: (_, read) => read(),
      }
      return [size.id, new StoredSegment(store, size, parts)]
    }),
  )
}

/** A segment as questions see it. */
class StoredSegment implements Segment {
  readonly #store: Store
  readonly #size: SegmentSize
  readonly #parts: SegmentParts

  constructor(store: Store, size: SegmentSize, parts: SegmentParts) {
    this.#store = store
    this.#size = size
    this.#parts = parts
  }

  get key(): string {
    return this.#parts.key
  }

  get times(): Float64Array {
    return this.#parts.array('times')
  }

  get users(): Uint32Array {
    return this.#parts.array('users')
  }

  get contexts(): Codes {
    return this.#parts.array('contexts')
  }

  keys(): Float64Array {
    return this.#parts.array('keys')
  }

  param(name: string): Param | null {
    const read = () => this.#readValues(name)
    return this.#param(name, () => this.#parts.cached(`values ${name}`, read, weightOfTexts))
  }

  /** A parameter of the segment. Its codes are cached; its values are read when first needed. */
  #param(name: string, readValues: () => readonly string[]): Param | null {
    const read = () => readCodes(this.#store, this.#size, name) ?? this.#rareCodes(name)
    const codes = this.#parts.cached(`codes ${name}`, read, (array) => array?.byteLength ?? 0)
    return codes && new StoredParam(codes, readValues)
  }

  #rareCodes(name: string): Uint16Array | null {
    const column = this.#parts.rareParams().get(name)
    return column ? denseCodes(column, this.#size.events) : null
  }

  #readValues(name: string): readonly string[] {
    return readValues(this.#store, this.#size, name) ?? this.#parts.rareParams().get(name)?.values ?? []
  }

  derived<T>(name: string, { kind, make, bytesOf }: Derivation<T>): T | null {
    const derive = () => {
      const param = this.#param(name, () => this.#readValues(name))
      return param && make(param)
    }
    return this.#parts.cached(`${kind} of ${name}`, derive, (made) => (made ? bytesOf(made) : 0))
  }

  paramNames(): readonly string[] {
    return [...readUsualNames(this.#store, this.#size), ...this.#parts.rareParams().keys()]
  }

  paramsAt(indexes: readonly number[]): (readonly [string, string])[][] {
    const found = indexes.map((): [string, string][] => [])
    for (const name of readUsualNames(this.#store, this.#size)) {
      const param = this.param(name)
      for (const [at, index] of indexes.entries()) {
        const json = param?.values[(param.codes[index] as number) - 1]
        if (json !== undefined) found[at]?.push([name, json])
      }
    }
    this.#addRare(found, indexes)
    return found.map((params) => params.sort(([a], [b]) => compareTexts(a, b)))
  }

  /** There may be thousands, each in a few events: going through those is quicker than looking each one up at each index. */
  #addRare(found: readonly [string, string][][], indexes: readonly number[]): void {
    const positions = new Int32Array(this.#size.events).fill(-1)
    for (const [position, index] of indexes.entries()) positions[index] = position
    for (const [name, { indexes: own, codes, values }] of this.#parts.rareParams()) {
      for (let at = 0; at < own.length; at += 1) {
        const position = positions[own[at] as number] as number
        if (position >= 0) found[position]?.push([name, values[codes[at] as number] as string])
      }
    }
  }

  countParams(from: number, to: number): ReadonlyMap<string, number> {
    const weightOfCounts = ({ size }: ReadonlyMap<string, number>) => size * COUNT_BYTES
    return this.#parts.cached(`counts ${from} ${to}`, () => this.#countParams(from, to), weightOfCounts)
  }

  #countParams(from: number, to: number): ReadonlyMap<string, number> {
    const counts = new Map<string, number>()
    const add = (name: string, count: number) => void (count > 0 && counts.set(name, count))
    for (const [name, codes] of readUsualCodes(this.#store, this.#size)) add(name, countIn(codes, from, to))
    for (const [name, { indexes }] of this.#parts.rareParams()) {
      add(name, lowerBound(indexes, to) - lowerBound(indexes, from))
    }
    return counts
  }
}

/** About what a name and its count take. */
const COUNT_BYTES = 100

/** Few questions need the values as they are. */
class StoredParam implements Param {
  readonly codes: Uint16Array
  readonly #readValues: () => readonly string[]
  #values: readonly string[] | null = null

  constructor(codes: Uint16Array, readValues: () => readonly string[]) {
    this.codes = codes
    this.#readValues = readValues
  }

  get values(): readonly string[] {
    this.#values ??= this.#readValues()
    return this.#values
  }
}

/** A character takes two bytes in texts that are not Latin. */
function weightOfTexts(values: readonly string[]): number {
  return values.reduce((sum, value) => sum + 2 * value.length + 20, 0)
}

function countIn(codes: Uint16Array, from: number, to: number): number {
  let count = 0
  for (let index = from; index < to; index += 1) count += Number(codes[index] !== 0)
  return count
}
