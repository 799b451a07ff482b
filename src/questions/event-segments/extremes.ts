import type { Decimal } from '../../base/decimal.ts'
import { enlarged } from '../../columns/flat-arrays.ts'
import type { ParamNumbers } from '../../columns/selection/numbers.ts'
import type { Picked } from '../../columns/selection/selection.ts'
import type { CellsOfRows } from './measure-query.ts'
import { compareNumeric, type NumericValue, toDecimal, valueAt } from './value-ranges.ts'

/** Finds the least (sign -1) or the greatest (sign 1) number of each of many cells. */
export class Extremes {
  readonly #sign: 1 | -1
  /** Per cell: the number found, by its nearest double; infinite before the first one. */
  #near = new Float64Array(0)
  /** The exact number of cells whose nearest double does not identify it. */
  readonly #exact = new Map<number, Decimal>()
  #numbers: ParamNumbers | null = null
  /** Per code of `#numbers`: the further the number, the higher; 0 if the value is not a number. */
  #ranks = new Uint16Array(0)
  /** The highest ranks of the rows being added, by group. */
  #highest = new Uint16Array(1)

  constructor(sign: 1 | -1) {
    this.#sign = sign
  }

  add(rows: Picked, numbers: ParamNumbers, { firstCells, groups }: CellsOfRows): void {
    if (numbers !== this.#numbers) this.#open(numbers)
    if (this.#highest.length < groups) this.#highest = new Uint16Array(2 * groups)
    this.#makeRoom(Math.max(...firstCells) + groups)
    findHighest(rows, numbers.codes, this.#ranks, this.#highest)
    for (let group = 0; group < groups; group++) {
      const rank = this.#highest[group] as number
      if (rank > 0) for (const first of firstCells) this.#take(first + group, numbers, this.#codeOf(rank, numbers))
    }
    this.#highest.fill(0, 0, groups)
  }

  #open(numbers: ParamNumbers): void {
    this.#numbers = numbers
    this.#ranks = new Uint16Array(numbers.near.length)
    for (let code = 1; code <= numbers.count; code++) this.#ranks[code] = this.#codeOf(code, numbers)
  }

  /** The code of a rank, or the rank of a code: codes are in order of the numbers. */
  #codeOf(rank: number, { count }: ParamNumbers): number {
    return this.#sign === 1 ? rank : count + 1 - rank
  }

  #take(cell: number, numbers: ParamNumbers, code: number): void {
    const near = this.#near[cell] as number
    // The exact number takes long to read, and most are not as far.
    if (((numbers.near[code] as number) - near) * this.#sign < 0) return
    const value = valueAt(numbers, code)
    if (compareNumeric(value, this.#valueOf(cell, near)) * this.#sign <= 0) return
    this.#near[cell] = value.near
    if (value.exact) this.#exact.set(cell, value.exact)
    else this.#exact.delete(cell)
  }

  #valueOf(cell: number, near: number): NumericValue {
    return { near, exact: this.#exact.get(cell) ?? null }
  }

  #makeRoom(cells: number): void {
    const { length } = this.#near
    if (length >= cells) return
    this.#near = enlarged(this.#near, 2 * cells).fill(-this.#sign * Number.POSITIVE_INFINITY, length)
  }

  of(cell: number): Decimal | null {
    const near = this.#near[cell] ?? Number.NaN
    return Number.isFinite(near) ? toDecimal(this.#valueOf(cell, near)) : null
  }
}

/** The highest rank of each group; of all rows, where nothing is grouped, as group 0. */
function findHighest(
  { groups, indexes, from, to }: Picked,
  codes: Uint16Array,
  ranks: Uint16Array,
  highest: Uint16Array,
): void {
  for (let row = from; row < to; row++) {
    const rank = ranks[codes[indexes ? (indexes[row] as number) : row] as number] as number
    const group = groups ? (groups[row] as number) : 0
    if (rank > (highest[group] as number)) highest[group] = rank
  }
}
