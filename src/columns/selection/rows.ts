import type { Param, Segment } from '../columns.ts'
import type { Codes } from '../flat-arrays.ts'

/** What can be filtered and grouped: the events of a segment, or the pairs of a day, which have no parameters. */
export interface SelectableRows {
  readonly users: Uint32Array
  readonly contexts: Codes
  param?(name: string): Param | null
  derived?: Segment['derived']
}

/** Texts looked up, or tested, between two yields. */
export const TEXTS_A_STEP = 1_024

/** Does some work step by step. Its loop stands outside the generator, where it is faster. */
export function* inSteps(
  { count, step }: { count: number; step: number },
  work: (from: number, to: number) => void,
): Generator<void> {
  for (let from = 0; from < count; from += step) {
    if (from > 0) yield
    work(from, Math.min(count, from + step))
  }
}

/** No steps, for rows that need no preparation. */
export const NO_STEPS: Generator<never, void> = nothing()

function* nothing(): Generator<never, void> {}

/** Caches what was made for some rows as long as these live: a segment is asked for again and again. */
export function perRows<T>(make: (rows: SelectableRows) => T): (rows: SelectableRows) => T {
  const made = new WeakMap<SelectableRows, T>()
  return (rows) => {
    const known = made.get(rows)
    if (known !== undefined) return known
    const value = make(rows)
    made.set(rows, value)
    return value
  }
}

/** The table's entry for each code. */
export function translate(codes: Codes, table: Uint32Array): Uint32Array {
  const translated = new Uint32Array(codes.length)
  for (let index = 0; index < codes.length; index++) translated[index] = table[codes[index] as number] as number
  return translated
}
