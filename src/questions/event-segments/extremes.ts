import { compareDecimals, type Decimal, parseDecimal } from '../../base/decimal.ts'
import { enlarged } from '../../columns/flat-arrays.ts'
import { decimalAt, type ParamNumbers } from '../../columns/selection/numbers.ts'
import type { Picked } from '../../columns/selection/selection.ts'
import type { CellsOfRows } from './exact-sums.ts'

/** Finds the least (sign -1) or the greatest (sign 1) number of each of many cells. */
export class Extremes {
  readonly #sign: 1 | -1
  /** Per cell: the nearest double of the number, times the sign; -Infinity before the first number. */
  #found = new Float64Array(0)
  /** The exact number of cells whose nearest double does not identify it. */
  readonly #exact = new Map<number, Decimal>()
  /** Extremes of the rows being added, and their codes; by group. */
  #lanes = new Float64Array(1)
  #codes = new Uint16Array(1)

  constructor(sign: 1 | -1) {
    this.#sign = sign
  }

  add(rows: Picked, numbers: ParamNumbers, { firstCells, groups }: CellsOfRows): void {
    if (this.#lanes.length < groups) {
      this.#lanes = new Float64Array(2 * groups)
      this.#codes = new Uint16Array(2 * groups)
    }
    this.#lanes.fill(Number.NEGATIVE_INFINITY, 0, groups)
    this.#find(rows, numbers)
    for (const first of firstCells) this.#take(first, groups, numbers)
  }

  #find({ groups, indexes, from, to }: Picked, numbers: ParamNumbers): void {
    const { codes, near, isInexact } = numbers
    const [sign, lanes, ownCodes] = [this.#sign, this.#lanes, this.#codes]
    for (let row = from; row < to; row++) {
      const code = codes[indexes ? (indexes[row] as number) : row] as number
      const group = groups ? (groups[row] as number) : 0
      // NaN is neither greater nor equal.
      const value = sign * (near[code] as number)
      const last = lanes[group] as number
      if (!(value >= last)) continue
      if (value === last && !(isInexact && this.#isFurther(numbers, code, ownCodes[group] as number))) continue
      lanes[group] = value
      ownCodes[group] = code
    }
  }

  #isFurther(numbers: ParamNumbers, code: number, other: number): boolean {
    return code !== other && compareDecimals(decimalAt(numbers, code), decimalAt(numbers, other)) * this.#sign > 0
  }

  #take(first: number, groups: number, numbers: ParamNumbers): void {
    this.#makeRoom(first + groups)
    for (let group = 0; group < groups; group++) {
      const [cell, value] = [first + group, this.#lanes[group] as number]
      const known = this.#found[cell] as number
      if (value < known || value === Number.NEGATIVE_INFINITY) continue
      if (value > known) this.#exact.delete(cell)
      this.#found[cell] = value
      if (numbers.isInexact) this.#compare(cell, decimalAt(numbers, this.#codes[group] as number), value > known)
      else if (this.#exact.has(cell)) this.#compare(cell, shortestOf(this.#sign * value), false)
    }
  }

  /** Keeps the more extreme of numbers with the same nearest double. */
  #compare(cell: number, decimal: Decimal, isFirst: boolean): void {
    const known = isFirst ? null : (this.of(cell) as Decimal)
    if (!known || compareDecimals(decimal, known) * this.#sign > 0) this.#exact.set(cell, decimal)
  }

  #makeRoom(cells: number): void {
    const { length } = this.#found
    if (length >= cells) return
    this.#found = enlarged(this.#found, 2 * cells).fill(Number.NEGATIVE_INFINITY, length)
  }

  of(cell: number): Decimal | null {
    const value = this.#found[cell] ?? Number.NEGATIVE_INFINITY
    if (value === Number.NEGATIVE_INFINITY) return null
    return this.#exact.get(cell) ?? shortestOf(this.#sign * value)
  }
}

function shortestOf(near: number): Decimal {
  const decimal = parseDecimal(String(near))
  if (!decimal) throw new RangeError(`${near} has too many digits`)
  return decimal
}
