import type { Param } from '../columns/columns.ts'

/** What can be filtered and grouped: the events of a leaf, or the pairs of a day (these have no parameters). */
export interface Rows {
  readonly users: Uint32Array
  readonly contexts: Uint32Array
  param?(name: string): Param | null
}

/** A small number for each row, and what it stands for in a table: so a property of contexts and one of events look the same. */
export type Codes = Uint16Array | Uint32Array

/** Remembers what was made for some rows for as long as these live: a leaf is asked for again and again. */
export function perRows<T>(make: (rows: Rows) => T): (rows: Rows) => T {
  const made = new WeakMap<Rows, T>()
  return (rows) => {
    const known = made.get(rows)
    if (known !== undefined) return known
    const value = make(rows)
    made.set(rows, value)
    return value
  }
}

/** What stands in the table at each code. */
export function translate(codes: Codes, table: Uint32Array): Uint32Array {
  const translated = new Uint32Array(codes.length)
  for (let place = 0; place < codes.length; place++) translated[place] = table[codes[place] as number] as number
  return translated
}
