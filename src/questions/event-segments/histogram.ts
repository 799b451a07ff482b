import type { ParamNumbers } from '../../columns/selection/numbers.ts'
import type { Picked } from '../../columns/selection/selection.ts'
import { Bins, SINGLES } from './bins.ts'
import type { CellsOfRows } from './measure-query.ts'
import type { FlatRanges } from './value-ranges.ts'

/** Counts the events of many cells per bin of numbers. */
export class Histogram {
  readonly #room: number
  readonly #bins = new Bins()
  #cells = 0
  /** The length of a cell's counts: one for each ordinal of a bin. */
  #capacity = 2 * SINGLES
  /** Counts cell by cell, then by the ordinal of a bin. */
  #counts = new Uint32Array(0)
  /** For each cell of group 0 that rows were counted in: the larger cell of group 0 that includes it, and the number of groups. */
  readonly #wholes = new Map<number, { readonly other: number; readonly groups: number }>()
  #numbers: ParamNumbers | null = null
  /** Per code of `#numbers`: the ordinal of its bin. */
  #binsOfCodes: Uint16Array = new Uint16Array(0)

  /** `room` is about the number of counts that all cells may have together. */
  constructor(room: number) {
    this.#room = room
  }

  add(rows: Picked, numbers: ParamNumbers, { firstCells, groups }: CellsOfRows): void {
    if (numbers !== this.#numbers) this.#open(numbers)
    this.#makeRoom(Math.max(...firstCells) + groups)
    const [first = 0, ...others] = firstCells
    const capacity = this.#capacity
    const counts = this.#counts.subarray(first * capacity, (first + groups) * capacity)
    countEach(rows, numbers.codes, this.#binsOfCodes, { counts, capacity })
    for (const other of others) this.#wholes.set(first, { other, groups })
  }

  /** Adds the counts of each cell to the cell that includes it. Call it once, after all rows. */
  addUp(): void {
    const [counts, capacity] = [this.#counts, this.#capacity]
    for (const [first, { other, groups }] of this.#wholes) {
      const [from, to] = [first * capacity, other * capacity]
      for (let at = 0; at < groups * capacity; at++) {
        counts[to + at] = (counts[to + at] as number) + (counts[from + at] as number)
      }
    }
  }

  /** The numbers of a cell in about `max` ranges, of about as many events each. */
  rangesOf(cell: number, max: number): FlatRanges {
    return this.#bins.rangesOf(this.#counts.subarray(cell * this.#capacity, (cell + 1) * this.#capacity), max)
  }

  #open(numbers: ParamNumbers): void {
    this.#numbers = numbers
    this.#binsOfCodes = this.#bins.binsOf(numbers)
    this.#fit(this.#capacity)
  }

  #makeRoom(cells: number): void {
    if (cells <= this.#cells) return
    const more = this.#cells === 0 ? cells : Math.max(cells, 2 * this.#cells)
    const capacity = Math.max(2, Math.min(this.#capacity, Math.floor(this.#room / more)))
    this.#fit(capacity)
    const counts = new Uint32Array(more * capacity)
    for (let cell = 0; cell < this.#cells; cell++) {
      const from = cell * this.#capacity
      counts.set(this.#counts.subarray(from, from + Math.min(capacity, this.#capacity)), cell * capacity)
    }
    this.#counts = counts
    this.#capacity = capacity
    this.#cells = more
  }

  /** Joins bins until each fits into the capacity of a cell. */
  #fit(capacity: number): void {
    if (this.#bins.count < capacity) return
    const now = this.#bins.join(capacity - 1)
    this.#binsOfCodes = this.#binsOfCodes.map((bin) => now[bin] as number)
    for (let first = 0; first < this.#counts.length; first += this.#capacity) {
      const own = this.#counts.slice(first, first + this.#capacity)
      this.#counts.fill(0, first, first + this.#capacity)
      for (let bin = 0; bin < now.length && bin < own.length; bin++) {
        const at = first + (now[bin] as number)
        this.#counts[at] = (this.#counts[at] as number) + (own[bin] as number)
      }
    }
  }
}

interface CountsOfGroups {
  /** Counts group by group, then by the ordinal of a bin. */
  readonly counts: Uint32Array
  readonly capacity: number
}

function countEach(
  { groups, indexes, from, to }: Picked,
  codes: Uint16Array,
  bins: Uint16Array,
  { counts, capacity }: CountsOfGroups,
): void {
  if (!groups && !indexes) {
    for (let row = from; row < to; row++) {
      const bin = bins[codes[row] as number] as number
      counts[bin] = (counts[bin] as number) + 1
    }
    return
  }
  for (let row = from; row < to; row++) {
    const bin = bins[codes[indexes ? (indexes[row] as number) : row] as number] as number
    const at = groups ? (groups[row] as number) * capacity + bin : bin
    counts[at] = (counts[at] as number) + 1
  }
}
