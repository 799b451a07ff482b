import { decimalAt, type ParamNumbers } from '../../columns/selection/numbers.ts'
import type { Picked } from '../../columns/selection/selection.ts'
import type { CellsOfRows } from './exact-sums.ts'
import { compareNumeric, type Limits, type NumericValue, type RangesOfCells } from './value-ranges.ts'

/** Collects the numbers of many cells that are within a cell's limits, and counts those that are less. */
export class ValuesWithin {
  readonly #limits: readonly (Limits | null)[]
  readonly #ranges: RangesOfCells
  /** By cell: the nearest doubles of its limits. No number is less or between them where there are none. */
  readonly #least: Float64Array
  readonly #most: Float64Array
  readonly #below: Uint32Array
  /** What was found in the rows at hand: codes by cell. */
  readonly #found = new Map<number, number[]>()

  constructor(limits: readonly (Limits | null)[], ranges: RangesOfCells) {
    this.#limits = limits
    this.#ranges = ranges
    this.#least = Float64Array.from(limits, (own) => own?.least.near ?? Number.NEGATIVE_INFINITY)
    this.#most = Float64Array.from(limits, (own) => own?.most.near ?? Number.NEGATIVE_INFINITY)
    this.#below = new Uint32Array(limits.length)
  }

  add(rows: Picked, numbers: ParamNumbers, { firstCells }: CellsOfRows): void {
    for (const first of firstCells) this.#find(rows, numbers, first)
    for (const [cell, codes] of this.#found) this.#take(cell, codes, numbers)
    this.#found.clear()
  }

  belowOf(cell: number): number {
    return this.#below[cell] as number
  }

  /** Branches only where a number is within the limits: whether one is less, nobody can foretell. */
  #find({ groups, indexes, from, to }: Picked, { codes, near }: ParamNumbers, first: number): void {
    const [leastOf, mostOf, belowOf] = [this.#least, this.#most, this.#below]
    let [cell, below] = [first, 0]
    let [least, most] = [leastOf[cell] as number, mostOf[cell] as number]
    for (let row = from; row < to; row++) {
      const code = codes[indexes ? (indexes[row] as number) : row] as number
      const number = near[code] as number
      if (groups) {
        cell = first + (groups[row] as number)
        least = leastOf[cell] as number
        most = mostOf[cell] as number
        belowOf[cell] = (belowOf[cell] as number) + Number(number < least)
      } else {
        below += Number(number < least)
      }
      if (Number(number >= least) & Number(number <= most)) this.#push(cell, code)
    }
    belowOf[first] = (belowOf[first] as number) + below
  }

  #push(cell: number, code: number): void {
    const codes = this.#found.get(cell)
    if (codes) codes.push(code)
    else this.#found.set(cell, [code])
  }

  #take(cell: number, codes: readonly number[], numbers: ParamNumbers): void {
    const { least, most } = this.#limits[cell] as Limits
    const counts = new Map<number, number>()
    for (const code of codes) counts.set(code, (counts.get(code) ?? 0) + 1)
    const values: { readonly value: NumericValue; readonly count: number }[] = []
    for (const [code, count] of counts) {
      const value = { near: numbers.near[code] as number, exact: numbers.isInexact ? decimalAt(numbers, code) : null }
      if (compareNumeric(value, least) < 0) this.#below[cell] = (this.#below[cell] as number) + count
      else if (compareNumeric(value, most) <= 0) values.push({ value, count })
    }
    values.sort((a, b) => compareNumeric(a.value, b.value))
    if (values.length === 0) return
    this.#ranges.add(
      cell,
      values.map(({ value, count }) => ({ least: value, most: value, count })),
    )
  }
}
