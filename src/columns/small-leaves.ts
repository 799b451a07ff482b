import { compareTexts } from '../text/order.ts'
import type { Leaf, Param } from './columns.ts'
import { lowerBound } from './flat-arrays.ts'
import { denseCodes, type LeafArrays, type LeafSize, readManyArrays, readManyRareParams } from './leaf-store.ts'
import type { ParamColumns } from './param-columns.ts'
import type { Store } from './store.ts'

// Where there are tens of thousands of names, most leaves have a few events: to read each by itself, and to remember it, would take
// longer and more room than its events.

/** A leaf of no more events is small: none of its parameters has a row of its own. */
const MAX_EVENTS = 128
/** Parameters of so many are held at once; each event may have 16 KB. */
const PARAMS_READ = 16

export function isSmall({ events }: LeafSize): boolean {
  return events <= MAX_EVENTS
}

/** By id. They are not remembered. */
export function readSmallLeaves(store: Store, sizes: readonly LeafSize[]): Map<number, Leaf> {
  const paramsOf = createParamsReader(
    store,
    sizes.map(({ id }) => id),
  )
  const arrays = readManyArrays(store, sizes)
  return new Map([...arrays].map(([id, own]) => [id, new SmallLeaf(own, () => paramsOf(id))]))
}

/** Reads parameters of a leaf, and at once those of the leaves behind it: whoever asks goes from one to the next. */
function createParamsReader(store: Store, ids: readonly number[]): (id: number) => ParamColumns {
  let read = new Map<number, ParamColumns>()
  return (id) => {
    if (!read.has(id)) {
      const first = ids.indexOf(id)
      read = readManyRareParams(store, ids.slice(first, first + PARAMS_READ))
    }
    return read.get(id) as ParamColumns
  }
}

class SmallLeaf implements Leaf {
  readonly times: Float64Array
  readonly users: Uint32Array
  readonly contexts: Uint32Array
  readonly #keys: Float64Array
  readonly #readParams: () => ParamColumns

  constructor({ times, users, contexts, keys }: LeafArrays, readParams: () => ParamColumns) {
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

  paramsAt(places: readonly number[]): (readonly [string, string])[][] {
    const columns = [...this.#readParams()].sort(([a], [b]) => compareTexts(a, b))
    return places.map((place) =>
      columns.flatMap(([name, { places: own, codes, values }]) => {
        const at = own.indexOf(place)
        return at === -1 ? [] : [[name, values[codes[at] as number] as string] as const]
      }),
    )
  }

  countParams(from: number, to: number): ReadonlyMap<string, number> {
    const counts = [...this.#readParams()].map(
      ([name, { places }]) => [name, lowerBound(places, to) - lowerBound(places, from)] as const,
    )
    return new Map(counts.filter(([, count]) => count > 0))
  }
}
