import { type Decimal, decimalOf } from '../../base/decimal.ts'
import { enlarged } from '../../columns/flat-arrays.ts'
import { LAST_SCALE, type ParamNumbers, toDigits } from '../../columns/selection/numbers.ts'
import type { Picked } from '../../columns/selection/selection.ts'
import type { CellsOfRows } from './measure-query.ts'

/** Sums of this many groups of nine digits are exact as doubles. */
const EXACT_EVENTS = 2 ** 23

/** Exact sums of many cells, in any order of the numbers: each group of nine digits is added up separately. */
export class ExactSums {
  /** Sums by the scale of their digits, then by cell. */
  readonly #sums = new Map<number, Float64Array>()
  /** What was carried over from `#sums`, by cell, in units of the last digit that numbers can have. */
  readonly #carried = new Map<number, bigint>()
  #events = 0
  /** Sums of the rows being added, by group. */
  #lanes = new Float64Array(1)

  /** Adds the numbers of rows to their groups' cells, once for each of `firstCells`. */
  add(rows: Picked, { codes, groupsOfNine }: ParamNumbers, { firstCells, groups }: CellsOfRows): void {
    const events = rows.to - rows.from
    if (this.#events + events > EXACT_EVENTS) this.#carry()
    this.#events += events
    if (this.#lanes.length < groups) this.#lanes = new Float64Array(2 * groups)
    const lanes = this.#lanes
    for (const [scale, digits] of groupsOfNine) {
      addEach(rows, codes, digits, lanes)
      for (const first of firstCells) addLanes(lanes, groups, this.#sumsAt(scale, first + groups), first)
      lanes.fill(0, 0, groups)
    }
  }

  sumOf(cell: number): Decimal {
    const carried = this.#carried.get(cell) ?? 0n
    // A sum has no more digits than its finest part. Trimming it digit by digit would take longer than adding it up.
    const last = carried === 0n ? Math.max(0, ...this.#sums.keys()) : LAST_SCALE
    let digits = carried
    for (const [scale, sums] of this.#sums) digits += toDigits(sums[cell] ?? 0, scale, last)
    return decimalOf(digits, last)
  }

  #sumsAt(scale: number, cells: number): Float64Array {
    const known = this.#sums.get(scale) ?? new Float64Array(0)
    if (known.length >= cells && cells > 0) return known
    const sums = enlarged(known, 2 * cells)
    this.#sums.set(scale, sums)
    return sums
  }

  #carry(): void {
    for (const [scale, sums] of this.#sums) {
      for (const [cell, sum] of sums.entries()) {
        if (sum !== 0) this.#carried.set(cell, (this.#carried.get(cell) ?? 0n) + toDigits(sum, scale))
      }
      sums.fill(0)
    }
    this.#events = 0
  }
}

function addEach(
  { groups, indexes, from, to }: Picked,
  codes: Uint16Array,
  digits: Int32Array,
  lanes: Float64Array,
): void {
  if (groups) {
    for (let row = from; row < to; row++) {
      const group = groups[row] as number
      const code = codes[indexes ? (indexes[row] as number) : row] as number
      lanes[group] = (lanes[group] as number) + (digits[code] as number)
    }
    return
  }
  let sum = 0
  for (let row = from; row < to; row++) {
    sum += digits[codes[indexes ? (indexes[row] as number) : row] as number] as number
  }
  lanes[0] = sum
}

function addLanes(lanes: Float64Array, groups: number, sums: Float64Array, first: number): void {
  for (let group = 0; group < groups; group++) {
    sums[first + group] = (sums[first + group] as number) + (lanes[group] as number)
  }
}
