import { behind, increase, lowerBound } from '../../columns/flat-arrays.ts'
import type { ParamNumbers } from '../../columns/selection/numbers.ts'
import type { Picked } from '../../columns/selection/selection.ts'
import type { Limits } from '../engine/by-rank.ts'
import type { CellsOfRows } from './measure-query.ts'
import { compareNumeric, type NumericValue, type RangesOfCells, type ValueRange, valueAt } from './value-ranges.ts'

/** Collects the numbers of many cells that are within the cell's limits, and counts those below them. */
export class ValuesWithin {
  readonly #limits: readonly (Limits<NumericValue> | null)[]
  readonly #ranges: RangesOfCells
  readonly #below: Uint32Array
  #numbers: ParamNumbers | null = null
  /**
   * Per cell: the codes in `#numbers` that may be within its limits, `#to` exclusive; both are equal if there are none.
   */
  readonly #from: Uint16Array
  readonly #to: Uint16Array
  /** Per code: its number's state for the current cells. Used only where nothing is grouped. */
  readonly #states = new Uint8Array(CODES)
  /** The numbers found in the current rows: the ordinal of a group and a code, in one integer each. */
  #found = new Uint32Array(0)

  constructor(limits: readonly (Limits<NumericValue> | null)[], ranges: RangesOfCells) {
    this.#limits = limits
    this.#ranges = ranges
    this.#below = new Uint32Array(limits.length)
    this.#from = new Uint16Array(limits.length)
    this.#to = new Uint16Array(limits.length)
  }

  add(rows: Picked, numbers: ParamNumbers, { firstCells, groups }: CellsOfRows): void {
    if (numbers !== this.#numbers) this.#open(numbers)
    if (this.#found.length <= rows.to - rows.from) this.#found = new Uint32Array(rows.to - rows.from + 1)
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

  /** Finds the numbers of one cell or two in a single pass. */
  #findOf([one, other]: readonly [number, number?], rows: Picked, numbers: ParamNumbers): void {
    this.#setStates(numbers.count, [one, other ?? one])
    const found = this.#find(rows, numbers.codes, [one, other ?? one])
    for (const cell of other === undefined ? [one] : [one, other]) {
      const [least, behind] = [this.#from[cell] as number, this.#to[cell] as number]
      const own = found.filter((code) => code >= least && code < behind)
      if (own.length > 0) this.#take(cell, own, numbers)
    }
  }

  /** Sets the state of each code, range by range: codes in a range have the same state. */
  #setStates(count: number, cells: readonly [number, number]): void {
    const ends = [1, count + 1, ...cells.flatMap((cell) => [this.#from[cell] as number, this.#to[cell] as number])]
    ends.sort((a, b) => a - b)
    for (const [index, code] of ends.entries()) {
      const isWithin = cells.some((cell) => code >= (this.#from[cell] as number) && code < (this.#to[cell] as number))
      const [below, belowOther] = cells.map((cell) => Number(code < (this.#from[cell] as number))) as [number, number]
      const state = below * BELOW + belowOther * BELOW_OTHER + Number(isWithin) * WITHIN
      if (code > 0 && code <= count) this.#states.fill(state, code, ends[index + 1])
    }
    this.#states.fill(0, count + 1)
  }

  /** Counts numbers below the limits without a branch, as the processor could not predict it. */
  #find({ indexes, from, to }: Picked, codes: Uint16Array, [one, other]: readonly [number, number]): Uint32Array {
    const [states, found] = [this.#states, this.#found]
    let [length, below, belowOther] = [0, 0, 0]
    for (let row = from; row < to; row++) {
      const code = codes[indexes ? (indexes[row] as number) : row] as number
      const state = states[code] as number
      // Few numbers are within the limits, so the processor predicts this branch.
      if (state >= WITHIN) found[length++] = code
      below += state & BELOW
      belowOther += (state & BELOW_OTHER) >>> 1
    }
    increase(this.#below, one, below)
    if (other !== one) increase(this.#below, other, belowOther)
    return found.subarray(0, length)
  }

  #findInGroups({ groups, indexes, from, to }: Picked, codes: Uint16Array, first: number): Uint32Array {
    const [leastOf, behindOf, belowOf, found] = [this.#from, this.#to, this.#below, this.#found]
    let length = 0
    for (let row = from; row < to; row++) {
      const code = codes[indexes ? (indexes[row] as number) : row] as number
      const group = groups?.[row] as number
      const cell = first + group
      const least = leastOf[cell] as number
      if (Number(code >= least) & Number(code < (behindOf[cell] as number)))
        found[length++] = (group << CODE_BITS) | code
      belowOf[cell] = (belowOf[cell] as number) + (Number(code < least) & Number(code > 0))
    }
    return found.subarray(0, length)
  }

  /** Adds the numbers found to the ranges of their cells. */
  #take(first: number, found: Uint32Array, numbers: ParamNumbers): void {
    found.sort()
    let values: ValueRange[] = []
    for (let from = 0, to = 0; from < found.length; from = to) {
      const key = found[from] as number
      while (found[to] === key) to++
      const cell = first + (key >>> CODE_BITS)
      const { least, most } = this.#limits[cell] as Limits<NumericValue>
      const value = valueAt(numbers, key & (CODES - 1))
      if (compareNumeric(value, least) < 0) this.#below[cell] = (this.#below[cell] as number) + to - from
      else if (compareNumeric(value, most) <= 0) values.push({ least: value, most: value, count: to - from })
      if (to < found.length && (found[to] as number) >>> CODE_BITS === cell - first) continue
      if (values.length > 0) this.#ranges.add(cell, values)
      values = []
    }
  }
}

/** States of a number: less than the limits of one cell, and of another; within the limits of either. */
const [BELOW, BELOW_OTHER, WITHIN] = [1, 2, 4]
const CODE_BITS = 16
/** The number of possible codes. */
const CODES = 2 ** CODE_BITS
