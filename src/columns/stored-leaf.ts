import { compareTexts } from '../text/order.ts'
import type { Leaf, Param } from './columns.ts'
import { lowerBound } from './flat-arrays.ts'
import { remembered } from './leaf-cache.ts'
import {
  denseCodes,
  type LeafSize,
  readArrays,
  readKeys,
  readRareParams,
  readUsualCodes,
  readUsualNames,
  readUsualParam,
} from './leaf-store.ts'
import { type ParamColumns, weightOf as weightOfColumns } from './param-columns.ts'
import type { Store } from './store.ts'

/** A leaf as questions see it. Keys and parameters are read when they are asked for, and remembered for themselves: few questions need them. */
export class StoredLeaf implements Leaf {
  readonly times: Float64Array
  readonly users: Uint32Array
  readonly contexts: Uint32Array
  readonly #store: Store
  readonly #size: LeafSize
  readonly #key: string

  constructor(store: Store, size: LeafSize, key: string) {
    const { times, users, contexts } = readArrays(store, size)
    this.times = times
    this.users = users
    this.contexts = contexts
    this.#store = store
    this.#size = size
    this.#key = key
  }

  keys(): Float64Array {
    return remembered(
      `${this.#key} keys`,
      () => readKeys(this.#store, this.#size),
      ({ byteLength }) => byteLength,
    )
  }

  param(name: string): Param | null {
    return remembered(`${this.#key} param ${name}`, () => this.#usual(name) ?? this.#rare(name), weightOfParam)
  }

  paramsAt(places: readonly number[]): (readonly [string, string])[][] {
    const found = places.map((): [string, string][] => [])
    for (const name of this.#usualNames()) {
      const param = this.param(name)
      for (const [index, place] of places.entries()) {
        const json = param?.values[(param.codes[place] as number) - 1]
        if (json !== undefined) found[index]?.push([name, json])
      }
    }
    this.#addRare(found, places)
    return found.map((params) => params.sort(([a], [b]) => compareTexts(a, b)))
  }

  /** There may be thousands of them, each of a few events: it is quicker to go through these than to look each up at each place. */
  #addRare(found: readonly [string, string][][], places: readonly number[]): void {
    const indexes = new Int32Array(this.#size.events).fill(-1)
    for (const [index, place] of places.entries()) indexes[place] = index
    for (const [name, { places: own, codes, values }] of this.#rareParams()) {
      for (let at = 0; at < own.length; at += 1) {
        const index = indexes[own[at] as number] as number
        if (index >= 0) found[index]?.push([name, values[codes[at] as number] as string])
      }
    }
  }

  countParams(from: number, to: number): ReadonlyMap<string, number> {
    if (from > 0 || to < this.#size.events) return this.#countParams(from, to)
    const weightOfCounts = ({ size }: ReadonlyMap<string, number>) => size * COUNT_BYTES
    return remembered(`${this.#key} counts`, () => this.#countParams(from, to), weightOfCounts)
  }

  #countParams(from: number, to: number): ReadonlyMap<string, number> {
    const counts = new Map<string, number>()
    const add = (name: string, count: number) => void (count > 0 && counts.set(name, count))
    for (const [name, codes] of readUsualCodes(this.#store, this.#size)) add(name, countIn(codes, from, to))
    for (const [name, { places }] of this.#rareParams()) add(name, lowerBound(places, to) - lowerBound(places, from))
    return counts
  }

  #usual(name: string): Param | null {
    return readUsualParam(this.#store, this.#size, name)
  }

  #usualNames(): readonly string[] {
    return readUsualNames(this.#store, this.#size)
  }

  #rare(name: string): Param | null {
    const column = this.#rareParams().get(name)
    return column ? { codes: denseCodes(column, this.#size.events), values: column.values } : null
  }

  #rareParams(): ParamColumns {
    return remembered(`${this.#key} rare`, () => readRareParams(this.#store, this.#size), weightOfColumns)
  }
}

/** In memory, without keys and parameters. */
export function weightOf({ times }: StoredLeaf): number {
  return times.length * 16
}

/** A name and its count, about. */
const COUNT_BYTES = 100

/** A character takes two bytes in texts that are not Latin. */
function weightOfParam(param: Param | null): number {
  if (!param) return 0
  return param.values.reduce((sum, value) => sum + 2 * value.length + 20, param.codes.byteLength)
}

function countIn(codes: Uint16Array, from: number, to: number): number {
  let count = 0
  for (let place = from; place < to; place += 1) count += Number(codes[place] !== 0)
  return count
}
