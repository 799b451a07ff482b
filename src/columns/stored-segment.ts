import { compareTexts } from '../base/text/order.ts'
import type { Param, Segment } from './columns.ts'
import { lowerBound } from './flat-arrays.ts'
import { type ParamColumns, weightOf as weightOfColumns } from './param-columns.ts'
import { segmentCache } from './segment-cache.ts'
import {
  denseCodes,
  readArrays,
  readKeys,
  readRareParams,
  readUsualCodes,
  readUsualNames,
  readUsualParam,
  type SegmentSize,
} from './segment-store.ts'
import type { Store } from './store.ts'

/** A segment as questions see it. Keys and parameters are read and cached separately, when asked for: few questions need them. */
export class StoredSegment implements Segment {
  readonly times: Float64Array
  readonly users: Uint32Array
  readonly contexts: Uint32Array
  readonly #store: Store
  readonly #size: SegmentSize
  readonly #key: string

  constructor(store: Store, size: SegmentSize, key: string) {
    const { times, users, contexts } = readArrays(store, size)
    this.times = times
    this.users = users
    this.contexts = contexts
    this.#store = store
    this.#size = size
    this.#key = key
  }

  keys(): Float64Array {
    return segmentCache.getOrAdd(
      `${this.#key} keys`,
      () => readKeys(this.#store, this.#size),
      ({ byteLength }) => byteLength,
    )
  }

  param(name: string): Param | null {
    return segmentCache.getOrAdd(
      `${this.#key} param ${name}`,
      () => this.#usual(name) ?? this.#rare(name),
      weightOfParam,
    )
  }

  paramsAt(indexes: readonly number[]): (readonly [string, string])[][] {
    const found = indexes.map((): [string, string][] => [])
    for (const name of this.#usualNames()) {
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
    for (const [name, { indexes: own, codes, values }] of this.#rareParams()) {
      for (let at = 0; at < own.length; at += 1) {
        const position = positions[own[at] as number] as number
        if (position >= 0) found[position]?.push([name, values[codes[at] as number] as string])
      }
    }
  }

  countParams(from: number, to: number): ReadonlyMap<string, number> {
    if (from > 0 || to < this.#size.events) return this.#countParams(from, to)
    const weightOfCounts = ({ size }: ReadonlyMap<string, number>) => size * COUNT_BYTES
    return segmentCache.getOrAdd(`${this.#key} counts`, () => this.#countParams(from, to), weightOfCounts)
  }

  #countParams(from: number, to: number): ReadonlyMap<string, number> {
    const counts = new Map<string, number>()
    const add = (name: string, count: number) => void (count > 0 && counts.set(name, count))
    for (const [name, codes] of readUsualCodes(this.#store, this.#size)) add(name, countIn(codes, from, to))
    for (const [name, { indexes }] of this.#rareParams()) add(name, lowerBound(indexes, to) - lowerBound(indexes, from))
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
    return segmentCache.getOrAdd(`${this.#key} rare`, () => readRareParams(this.#store, this.#size), weightOfColumns)
  }
}

/** Bytes in memory, without keys and parameters. */
export function weightOf({ times }: StoredSegment): number {
  return times.length * 16
}

/** About what a name and its count take. */
const COUNT_BYTES = 100

/** A character takes two bytes in texts that are not Latin. */
function weightOfParam(param: Param | null): number {
  if (!param) return 0
  return param.values.reduce((sum, value) => sum + 2 * value.length + 20, param.codes.byteLength)
}

function countIn(codes: Uint16Array, from: number, to: number): number {
  let count = 0
  for (let index = from; index < to; index += 1) count += Number(codes[index] !== 0)
  return count
}
