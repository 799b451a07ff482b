import { type SourcePart, type SourceRule, sourceReader } from '../../base/sources.ts'
import type { Columns, FirstTouches, Values } from '../columns.ts'
import { enlarged } from '../flat-arrays.ts'
import { NONE } from './filter.ts'

/** The values that a part of sources has among all start parameters. */
export interface SourceValues extends Values {
  /** The code of the value that each code of a start parameter has; 0 for none. */
  readonly table: Uint32Array
}

/** A part, and the JSON of the rules by which start parameters are read. */
export interface AskedPart {
  readonly name: SourcePart
  readonly rules: string
}

/** Texts read between two yields. */
const TEXTS_A_STEP = 4_096
/** The most parts of sources whose values an object keeps in memory. */
const MOST_CACHED = 6

const caches = new WeakMap<FirstTouches, Map<string, ReadValues>>()

/** Reads each start parameter that was not read by these rules before, once. */
export function* readSourceValues(columns: Columns, { name, rules }: AskedPart): Generator<void, SourceValues> {
  const { firstTouches } = columns
  const cache = caches.get(firstTouches) ?? new Map<string, ReadValues>()
  caches.set(firstTouches, cache)
  const key = `${name} ${rules}`
  const read = cache.get(key) ?? new ReadValues()
  cache.delete(key)
  cache.set(key, read)
  const [oldest] = cache.keys()
  if (cache.size > MOST_CACHED && oldest !== undefined) cache.delete(oldest)
  const values = columns.contextValues('startParameter')
  const { count } = values
  if (read.table.length > count) return read
  const readText = sourceReader(JSON.parse(rules) as SourceRule[])
  while (read.table.length <= count) {
    const texts = values.entries(read.table.length - 1, TEXTS_A_STEP)
    read.add([...texts].map(([, text]) => readText(text).values[name] ?? NONE))
    yield
  }
  return read
}

/** What was read so far. Values grow with the start parameters. */
class ReadValues implements SourceValues {
  table: Uint32Array = new Uint32Array(1)
  readonly #texts: string[] = []
  readonly #codes = new Map<string, number>()

  get count(): number {
    return this.#texts.length
  }

  textOf(code: number): string {
    return this.#texts[code - 1] as string
  }

  codeOf(text: string): number {
    return this.#codes.get(text) ?? 0
  }

  *entries(after = 0): Iterable<readonly [number, string]> {
    for (let index = after; index < this.#texts.length; index++) yield [index + 1, this.#texts[index] as string]
  }

  /** Adds the values of the next start parameters. */
  add(values: readonly string[]): void {
    const from = this.table.length
    const table = enlarged(this.table, from + values.length)
    for (const [index, text] of values.entries()) {
      if (text === NONE) continue
      const code = this.#codes.get(text) ?? this.#texts.push(text)
      this.#codes.set(text, code)
      table[from + index] = code
    }
    this.table = table
  }
}
