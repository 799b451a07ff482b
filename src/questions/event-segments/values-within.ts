import { behind, increase, lowerBound } from '../../columns/flat-arrays.ts'
import { decimalAt, type ParamNumbers } from '../../columns/selection/numbers.ts'
import type { Picked } from '../../columns/selection/selection.ts'
import type { CellsOfRows } from './exact-sums.ts'
import { compareNumeric, type Limits, type NumericValue, type RangesOfCells, type ValueRange } from './value-ranges.ts'

/** Collects the numbers of many cells that are within a cell's limits, and counts those that are less. */
export class ValuesWithin {
  readonly #limits: readonly (Limits | null)[]
  readonly #ranges: RangesOfCells
  readonly #below: Uint32Array
  #numbers: ParamNumbers | null = null
  /** By cell, the codes of the numbers at hand that may be within its limits, the second exclusive; the same one twice where there are none. */
  readonly #from: Uint16Array
  readonly #to: Uint16Array
  /** What was found in the rows at hand: codes, each after the ordinal of its group times 2^16. */
  #found = new Float64Array(0)

  constructor(limits: readonly (Limits | null)[], ranges: RangesOfCells) {
    this.#limits = limits
    this.#ranges = ranges
    this.#below = new Uint32Array(limits.length)
    this.#from = new Uint16Array(limits.length)
    this.#to = new Uint16Array(limits.length)
  }

  add(rows: Picked, numbers: ParamNumbers, { firstCells, groups }: CellsOfRows): void {
    if (numbers !== this.#numbers) this.#open(numbers)
    if (this.#found.length <= rows.to - rows.from) this.#found = new Float64Array(rows.to - rows.from + 1)
    const asked = firstCells.filter((first) => this.#isAsked(first, groups))
    if (rows.groups)
      for (const first of asked) this.#take(first, this.#findInGroups(rows, numbers.codes, first), numbers)
    else if (asked.length > 0) this.#findOf(asked as [number, number?], rows, numbers)
  }

  belowOf(cell: number): number {
    return this.#below[cell] as number
  }

  #open(numbers: ParamNumbers): void {
    this.#numbers = numbers
    const { near, count } = numbers
    for (const [cell, limits] of this.#limits.entries()) {
      if (!limits) continue
      this.#from[cell] = lowerBound(near, limits.least.near, 1, count + 1)
      this.#to[cell] = behind(near, limits.most.near, 1, count + 1)
    }
  }

  #isAsked(first: number, groups: number): boolean {
    for (let cell = first; cell < first + groups; cell++) if (this.#limits[cell]) return true
    return false
  }

  /** Of one cell or two. */
  #findOf([one, other]: readonly [number, number?], rows: Picked, numbers: ParamNumbers): void {
    const found = this.#find(rows, numbers.codes, one, other ?? one)
    for (const cell of other === undefined ? [one] : [one, other]) {
      const [least, behind] = [this.#from[cell] as number, this.#to[cell] as number]
      this.#take(
        cell,
        found.filter((code) => code >= least && code < behind),
        numbers,
      )
    }
  }

  /** Without branches: whether a number is less, nobody can foretell. */
  #find({ indexes, from, to }: Picked, codes: Uint16Array, one: number, other: number): Float64Array {
    const [least, behind] = [this.#from[one] as number, this.#to[one] as number]
    const [otherLeast, otherBehind] = [this.#from[other] as number, this.#to[other] as number]
    const found = this.#found
    let [length, below, otherBelow] = [0, 0, 0]
    for (let row = from; row < to; row++) {
      const code = codes[indexes ? (indexes[row] as number) : row] as number
      found[length] = code
      length +=
        (Number(code >= least) & Number(code < behind)) | (Number(code >= otherLeast) & Number(code < otherBehind))
      const isNumber = Number(code > 0)
      below += Number(code < least) & isNumber
      otherBelow += Number(code < otherLeast) & isNumber
    }
    increase(this.#below, one, below)
    if (other !== one) increase(this.#below, other, otherBelow)
    return found.subarray(0, length)
  }

  #findInGroups({ groups, indexes, from, to }: Picked, codes: Uint16Array, first: number): Float64Array {
    const [leastOf, behindOf, belowOf, found] = [this.#from, this.#to, this.#below, this.#found]
    let length = 0
    for (let row = from; row < to; row++) {
      const code = codes[indexes ? (indexes[row] as number) : row] as number
      const group = groups?.[row] as number
      const cell = first + group
      const least = leastOf[cell] as number
      found[length] = group * CODES + code
      length += Number(code >= least) & Number(code < (behindOf[cell] as number))
      belowOf[cell] = (belowOf[cell] as number) + (Number(code < least) & Number(code > 0))
    }
    return found.subarray(0, length)
  }

  /** Adds what was found. */
  #take(first: number, found: Float64Array, numbers: ParamNumbers): void {
    found.sort()
    let values: ValueRange[] = []
    for (let from = 0, to = 0; from < found.length; from = to) {
      const key = found[from] as number
      while (found[to] === key) to++
      const cell = first + Math.floor(key / CODES)
      const { least, most } = this.#limits[cell] as Limits
      const value = valueAt(numbers, key % CODES)
      if (compareNumeric(value, least) < 0) this.#below[cell] = (this.#below[cell] as number) + to - from
      else if (compareNumeric(value, most) <= 0) values.push({ least: value, most: value, count: to - from })
      if (to < found.length && Math.floor((found[to] as number) / CODES) === cell - first) continue
      if (values.length > 0) this.#ranges.add(cell, values)
      values = []
    }
  }
}

/** Codes are below this. */
const CODES = 2 ** 16

function valueAt(numbers: ParamNumbers, code: number): NumericValue {
  return { near: numbers.near[code] as number, exact: numbers.isInexact ? decimalAt(numbers, code) : null }
}
