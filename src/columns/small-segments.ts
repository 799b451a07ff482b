import { compareTexts } from '../base/text/order.ts'
import type { Param, Segment } from './columns.ts'
import { lowerBound } from './flat-arrays.ts'
import type { ParamColumns } from './param-columns.ts'
import {
  denseCodes,
  readManyArrays,
  readManyRareParams,
  type SegmentArrays,
  type SegmentSize,
} from './segment-store.ts'
import type { Store } from './store.ts'

// With tens of thousands of names, most segments have a few events: reading each one by itself would take longer, and caching it more
// room, than its events.

/** The most events of a small segment: none of its parameters has a row of its own. */
const MAX_EVENTS = 128
/** The parameters of so many segments are in memory at a time; each event may have 16 KB. */
const PARAMS_READ = 16

export function isSmall({ events }: SegmentSize): boolean {
  return events <= MAX_EVENTS
}

/** Reads small segments, by their ids. They are not cached. */
export function readSmallSegments(store: Store, sizes: readonly SegmentSize[]): Map<number, Segment> {
  const paramsOf = createParamsReader(store, sizes)
  const arrays = readManyArrays(store, sizes)
  return new Map([...arrays].map(([id, own]) => [id, new SmallSegment(own, () => paramsOf(id))]))
}

/** Reads the parameters of a segment together with those of the next ones: callers go from one segment to the next. */
function createParamsReader(store: Store, sizes: readonly SegmentSize[]): (id: number) => ParamColumns {
  let read = new Map<number, ParamColumns>()
  return (id) => {
    if (!read.has(id)) {
      const first = sizes.findIndex((size) => size.id === id)
      read = readManyRareParams(store, sizes.slice(first, first + PARAMS_READ))
    }
    return read.get(id) as ParamColumns
  }
}

class SmallSegment implements Segment {
  readonly times: Float64Array
  readonly users: Uint32Array
  readonly contexts: Uint32Array
  readonly #keys: Float64Array
  readonly #readParams: () => ParamColumns

  constructor({ times, users, contexts, keys }: SegmentArrays, readParams: () => ParamColumns) {
    this.times = times
    this.users = users
    this.contexts = contexts
    this.#keys = keys
    this.#readParams = readParams
  }

  keys(): Float64Array {
    return this.#keys
  }

  param(name: string): Param | null {
    const column = this.#readParams().get(name)
    return column ? { codes: denseCodes(column, this.times.length), values: column.values } : null
  }

  paramsAt(indexes: readonly number[]): (readonly [string, string])[][] {
    const columns = [...this.#readParams()].sort(([a], [b]) => compareTexts(a, b))
    return indexes.map((index) =>
      columns.flatMap(([name, { indexes: own, codes, values }]) => {
        const at = own.indexOf(index)
        return at === -1 ? [] : [[name, values[codes[at] as number] as string] as const]
      }),
    )
  }

  countParams(from: number, to: number): ReadonlyMap<string, number> {
    const counts = [...this.#readParams()].map(
      ([name, { indexes }]) => [name, lowerBound(indexes, to) - lowerBound(indexes, from)] as const,
    )
    return new Map(counts.filter(([, count]) => count > 0))
  }
}
