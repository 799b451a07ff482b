import { add, type Decimal } from '../../base/decimal.ts'
import { increase } from '../../columns/flat-arrays.ts'
import { counts, keyed, record, type TotalOf } from '../engine/totals.ts'
import { type Cohorts, cohortSizes } from '../retention/cohorts.ts'
import { rowStartsOf } from '../retention/returns.ts'
import { NetSums, toDecimal } from '../revenue/charge-sums.ts'
import type { DayCharges } from '../revenue/day-charges.ts'

/** The users of a group, or of everybody, and what they paid. Cells are those of retention: by cohort, then by interval from it on. */
export const ltvCounts = record({
  /** How many they are, by cohort. */
  users: counts,
  /** Users by the cell of their first payment. */
  beginners: counts,
  /** Net revenue in cells that have any, in no order. */
  net: keyed<readonly [cell: number, amount: Decimal]>(
    ([cell]) => cell,
    ([cell, amount], [, more]) => [cell, add(amount, more)],
  ),
})

export type LtvCounts = TotalOf<typeof ltvCounts>

interface Size {
  readonly intervals: number
  readonly groups: number
}

/** Adds up what the users of cohorts pay, interval by interval: for all users, then for each group. */
export class PaidCells {
  readonly #cohorts: Cohorts
  readonly #size: Size
  readonly #rowStarts: Uint32Array
  readonly #sums = new NetSums()
  readonly #beginners: Uint32Array
  /** One byte per user: 1 if the user has paid. */
  readonly #hasPaid: Uint8Array
  /** Sums of the charges being added, by group, then by cohort. */
  readonly #lanes: Float64Array

  constructor(cohorts: Cohorts, size: Size) {
    this.#cohorts = cohorts
    this.#size = size
    this.#rowStarts = rowStartsOf(size.intervals)
    this.#beginners = new Uint32Array((size.groups + 1) * this.#cells)
    this.#lanes = new Float64Array((size.groups + 1) * size.intervals)
    this.#hasPaid = new Uint8Array(cohorts.intervals.length)
  }

  get #cells(): number {
    return this.#rowStarts[this.#size.intervals] as number
  }

  /** Adds charges of an interval. Intervals must not decrease. */
  add(charges: DayCharges, interval: number): void {
    const { intervals } = this.#size
    const [sums, lanes] = [this.#sums.of(charges), this.#lanes]
    const users = charges.users()
    const { codes, groups } = charges.amounts()
    for (const { scale, digits } of groups) {
      this.#addUp(users, { codes, digits })
      for (let lane = 0; lane < lanes.length; lane++) {
        const sum = lanes[lane] as number
        if (sum === 0) continue
        sums.addTo(this.#cellOf(Math.floor(lane / intervals), lane % intervals, interval), toDecimal(sum, scale))
        lanes[lane] = 0
      }
    }
    if (!charges.isRefund) this.#addBeginners(users, interval)
  }

  /** The index of a cell. All users have number 0, groups have numbers from 1. */
  #cellOf(number: number, cohort: number, interval: number): number {
    return number * this.#cells + (this.#rowStarts[cohort] as number) + interval - cohort
  }

  /** Adds what users paid to the lanes of their cohorts: of all users, and of a group. */
  #addUp(users: Uint32Array, { codes, digits }: { codes: Uint16Array; digits: Int32Array }): void {
    const { intervals, groups } = this.#cohorts
    const { intervals: rows, groups: count } = this.#size
    const lanes = this.#lanes
    for (let index = 0; index < users.length; index++) {
      const user = users[index] as number
      const cohort = intervals[user] as number
      if (cohort < 0) continue
      const amount = digits[codes[index] as number] as number
      lanes[cohort] = (lanes[cohort] as number) + amount
      const group = groups ? (groups[user] as number) : count
      if (group >= count) continue
      const lane = (group + 1) * rows + cohort
      lanes[lane] = (lanes[lane] as number) + amount
    }
  }

  #addBeginners(users: Uint32Array, interval: number): void {
    const { intervals, groups } = this.#cohorts
    for (let index = 0; index < users.length; index++) {
      const user = users[index] as number
      const cohort = intervals[user] as number
      if (cohort < 0 || this.#hasPaid[user] === 1) continue
      this.#hasPaid[user] = 1
      increase(this.#beginners, this.#cellOf(0, cohort, interval))
      const group = groups ? (groups[user] as number) : this.#size.groups
      if (group < this.#size.groups) increase(this.#beginners, this.#cellOf(group + 1, cohort, interval))
    }
  }

  /** Returns the counts, once everything is added. */
  counts(): LtvCounts[] {
    const net = Array.from({ length: this.#size.groups + 1 }, (): [number, Decimal][] => [])
    const cells = this.#cells
    for (const cell of this.#sums.cells()) net[Math.floor(cell / cells)]?.push([cell % cells, this.#sums.netOf(cell)])
    return cohortSizes(this.#cohorts, this.#size).map((users, number) => ({
      users,
      beginners: this.#beginners.slice(number * cells, (number + 1) * cells),
      net: net[number] ?? [],
    }))
  }
}
