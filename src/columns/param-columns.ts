import { enlarged, lowerBound } from './flat-arrays.ts'

/** One top-level parameter of some events. It is sparse, since most parameters are rare. */
export interface ParamColumn {
  /** The indexes of the events that have it, ascending. */
  readonly indexes: Uint16Array
  /** For each of them the index of its value. */
  readonly codes: Uint16Array
  /** The JSON of each distinct value. */
  readonly values: readonly string[]
}

/** The columns of several parameters, by name. */
export type ParamColumns = ReadonlyMap<string, ParamColumn>

/** Part of a segment's columns: the events at [from, to). */
export interface ParamSlice {
  readonly params: ParamColumns
  readonly from: number
  readonly to: number
}

/** Makes columns of the parameters of at most 65,535 events, each the JSON of an object or null. */
export function toParamColumns(texts: readonly (string | null)[]): ParamColumns {
  const columns = new Map<string, GrowingColumn>()
  for (const [index, text] of texts.entries()) {
    if (text === null) continue
    const params = JSON.parse(text) as Record<string, unknown>
    for (const name of Object.keys(params)) {
      const value = params[name]
      if (value !== null) columnOf(columns, name).add(index, JSON.stringify(value))
    }
  }
  return finished(columns)
}

/** The columns of these slices, one after the other. */
export function joinParams(slices: readonly ParamSlice[]): ParamColumns {
  const columns = new Map<string, GrowingColumn>()
  let offset = 0
  for (const { params, from, to } of slices) {
    for (const [name, column] of params) columnOf(columns, name).addAll(column, { from, to, offset })
    offset += to - from
  }
  return finished(columns)
}

/** About how many bytes they take in memory. */
export function weightOf(params: ParamColumns): number {
  let weight = 0
  for (const [name, { indexes, values }] of params) {
    weight += 100 + name.length + indexes.length * 4 + values.length * 16
    for (const value of values) weight += value.length
  }
  return weight
}

function columnOf(columns: Map<string, GrowingColumn>, name: string): GrowingColumn {
  const known = columns.get(name)
  if (known) return known
  const column = new GrowingColumn()
  columns.set(name, column)
  return column
}

function finished(columns: ReadonlyMap<string, GrowingColumn>): ParamColumns {
  const filled = [...columns].filter(([, column]) => column.length > 0)
  return new Map(filled.map(([name, column]) => [name, column.finish()]))
}

class GrowingColumn {
  #indexes = new Uint16Array(16)
  #codes = new Uint16Array(16)
  #codeOf = new Map<string, number>()
  length = 0

  add(index: number, value: string): void {
    this.#push(index, this.#code(value))
  }

  /** The occurrences at [from, to), moved to `offset`; only values that they have. */
  addAll({ indexes, codes, values }: ParamColumn, { from, to, offset }: { from: number; to: number; offset: number }) {
    const known = new Int32Array(values.length).fill(-1)
    for (let at = lowerBound(indexes, from); at < indexes.length; at += 1) {
      const index = indexes[at] as number
      if (index >= to) return
      const code = codes[at] as number
      if (known[code] === -1) known[code] = this.#code(values[code] as string)
      this.#push(index - from + offset, known[code] as number)
    }
  }

  #push(index: number, code: number): void {
    if (this.length === this.#indexes.length) {
      this.#indexes = enlarged(this.#indexes, this.length * 2)
      this.#codes = enlarged(this.#codes, this.length * 2)
    }
    this.#indexes[this.length] = index
    this.#codes[this.length] = code
    this.length += 1
  }

  finish(): ParamColumn {
    const indexes = this.#indexes.slice(0, this.length)
    return { indexes, codes: this.#codes.slice(0, this.length), values: [...this.#codeOf.keys()] }
  }

  #code(value: string): number {
    const known = this.#codeOf.get(value)
    if (known !== undefined) return known
    this.#codeOf.set(value, this.#codeOf.size)
    return this.#codeOf.size - 1
  }
}
