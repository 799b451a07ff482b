import type { Decimal } from '../../base/decimal.ts'
import { increase } from '../../columns/flat-arrays.ts'
import { type Cohorts, cohortSizes } from '../retention/cohorts.ts'
import { rowStartsOf } from '../retention/returns.ts'
import { NetSums } from '../revenue/charge-sums.ts'
import type { Charges } from '../revenue/charges.ts'
import { digitsOf } from '../revenue/currency.ts'

/** The users of a group, or of everybody, and what they paid. Cells are those of retention: by cohort, then by interval from it on. */
export interface LtvCounts {
  /** By cohort. */
  readonly users: Uint32Array
  /** By cell: users with their first payment in it. */
  readonly beginners: Uint32Array
  /** Net revenue in cells that have any, in no order. */
  readonly net: readonly (readonly [cell: number, amount: Decimal])[]
}

interface Size {
  readonly intervals: number
  readonly groups: number
  readonly currency: string
}

/** What the users of cohorts pay, interval after interval: of everybody, then of each group. */
export class PaidCells {
  readonly #cohorts: Cohorts
  readonly #size: Size
  readonly #rowStarts: Uint32Array
  readonly #digits: number
  readonly #sums = new NetSums()
  readonly #beginners: Uint32Array
  /** By user: 1 for those who have paid. */
  readonly #hasPaid: Uint8Array
  #lanes = new Uint32Array(0)
  #amounts = new Uint16Array(0)

  constructor(cohorts: Cohorts, size: Size) {
    this.#cohorts = cohorts
    this.#size = size
    this.#rowStarts = rowStartsOf(size.intervals)
    this.#digits = digitsOf(size.currency)
    this.#beginners = new Uint32Array((size.groups + 1) * this.#cells)
    this.#hasPaid = new Uint8Array(cohorts.intervals.length)
  }

  get #cells(): number {
    return this.#rowStarts[this.#size.intervals] as number
  }

  /** Intervals never fall. */
  add(charges: Charges, interval: number): void {
    if (this.#lanes.length < charges.length) {
      this.#lanes = new Uint32Array(charges.length)
      this.#amounts = new Uint16Array(charges.length)
    }
    const sums = this.#sums.of(charges)
    const { intervals } = this.#size
    const cellOf = (lane: number) => this.#cellOf(Math.floor(lane / intervals), lane % intervals, interval)
    for (const isGrouped of this.#size.groups > 0 ? [false, true] : [false]) {
      const length = this.#collect(charges, isGrouped)
      const { table, rule } = charges
      sums.add(
        { length, amounts: this.#amounts, table, rule },
        { lanes: this.#lanes, cellOf, digitsOf: () => this.#digits },
      )
    }
    if (!charges.isRefund) this.#addBeginners(charges, interval)
  }

  /** Everybody has the number 0, and each group a number from 1 on. */
  #cellOf(number: number, cohort: number, interval: number): number {
    return number * this.#cells + (this.#rowStarts[cohort] as number) + interval - cohort
  }

  /** Returns how many charges are of users in a cohort, or in one of the groups. A lane is a cohort of everybody, or of a group. */
  #collect({ length, ...charges }: Charges, isGrouped: boolean): number {
    const [users, amounts] = [charges.users(), charges.amounts()]
    const { intervals, groups } = this.#cohorts
    const [lanes, own] = [this.#lanes, this.#amounts]
    const { intervals: rows, groups: count } = this.#size
    let collected = 0
    for (let index = 0; index < length; index++) {
      const user = users[index] as number
      const cohort = intervals[user] as number
      if (cohort < 0) continue
      const group = isGrouped && groups ? (groups[user] as number) : -1
      if (isGrouped && group >= count) continue
      lanes[collected] = (group + 1) * rows + cohort
      own[collected] = amounts[index] as number
      collected++
    }
    return collected
  }

  #addBeginners({ length, ...charges }: Charges, interval: number): void {
    const users = charges.users()
    const { intervals, groups } = this.#cohorts
    for (let index = 0; index < length; index++) {
      const user = users[index] as number
      const cohort = intervals[user] as number
      if (cohort < 0 || this.#hasPaid[user] === 1) continue
      this.#hasPaid[user] = 1
      increase(this.#beginners, this.#cellOf(0, cohort, interval))
      const group = groups ? (groups[user] as number) : this.#size.groups
      if (group < this.#size.groups) increase(this.#beginners, this.#cellOf(group + 1, cohort, interval))
    }
  }

  /** Once everything is added. */
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
