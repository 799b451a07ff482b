import { enlarged, lowerBound } from './flat-arrays.ts'

/** Where one top-level parameter occurs among some events: sparse, since most parameters are rare. */
export interface ParamColumn {
  /** Places of the events that have it, rising. */
  readonly places: Uint16Array
  /** For each of them the index of its value. */
  readonly codes: Uint16Array
  /** The JSON of each distinct value. */
  readonly values: readonly string[]
}

/** By the parameter's name. */
export type ParamColumns = ReadonlyMap<string, ParamColumn>

/** Part of a leaf's columns: the events at [from, to). */
export interface ParamPiece {
  readonly params: ParamColumns
  readonly from: number
  readonly to: number
}

/** The columns of these events' parameters, each the JSON of an object or null. At most 65,535 events. */
export function toParamColumns(texts: readonly (string | null)[]): ParamColumns {
  const columns = new Map<string, GrowingColumn>()
  for (const [place, text] of texts.entries()) {
    if (text === null) continue
    const params = JSON.parse(text) as Record<string, unknown>
    for (const name of Object.keys(params)) {
      const value = params[name]
      if (value !== null) columnOf(columns, name).add(place, JSON.stringify(value))
    }
  }
  return finished(columns)
}

/** The columns of these pieces, one after the other. */
export function joinParams(pieces: readonly ParamPiece[]): ParamColumns {
  const columns = new Map<string, GrowingColumn>()
  let offset = 0
  for (const { params, from, to } of pieces) {
    for (const [name, column] of params) columnOf(columns, name).addAll(column, { from, to, offset })
    offset += to - from
  }
  return finished(columns)
}

/** About how many bytes they take in memory. */
export function weightOf(params: ParamColumns): number {
  let weight = 0
  for (const [name, { places, values }] of params) {
    weight += 100 + name.length + places.length * 4 + values.length * 16
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
  #places = new Uint16Array(16)
  #codes = new Uint16Array(16)
  #codeOf = new Map<string, number>()
  length = 0

  add(place: number, value: string): void {
    if (this.length === this.#places.length) this.#grow()
    this.#places[this.length] = place
    this.#codes[this.length] = this.#code(value)
    this.length += 1
  }

  /** The occurrences at [from, to), moved to `offset`. Values that none of them has are left behind. */
  addAll({ places, codes, values }: ParamColumn, { from, to, offset }: { from: number; to: number; offset: number }) {
    const known = new Int32Array(values.length).fill(-1)
    for (let at = lowerBound(places, from); at < places.length; at += 1) {
      const place = places[at] as number
      if (place >= to) return
      const code = codes[at] as number
      if (this.length === this.#places.length) this.#grow()
      if (known[code] === -1) known[code] = this.#code(values[code] as string)
      this.#places[this.length] = place - from + offset
      this.#codes[this.length] = known[code] as number
      this.length += 1
    }
  }

  finish(): ParamColumn {
    const places = this.#places.slice(0, this.length)
    return { places, codes: this.#codes.slice(0, this.length), values: [...this.#codeOf.keys()] }
  }

  #code(value: string): number {
    const known = this.#codeOf.get(value)
    if (known !== undefined) return known
    this.#codeOf.set(value, this.#codeOf.size)
    return this.#codeOf.size - 1
  }

  #grow(): void {
    this.#places = enlarged(this.#places, this.#places.length * 2)
    this.#codes = enlarged(this.#codes, this.#codes.length * 2)
  }
}
