import type { ParamNumbers } from '../../columns/selection/numbers.ts'
import type { Picked } from '../../columns/selection/selection.ts'
import type { CellsOfRows } from './exact-sums.ts'
import type { FlatRanges } from './value-ranges.ts'

// A double's first bits are its sign, its exponent and the beginning of its digits: numbers are counted by so many of them as there is
// room for. Those with the same bits are a bin.

/** Of a double's first 32 bits, so many are left out at least, and at most: 256 bins lie between a number and its double. */
const LEAST_SHIFT = 12
const LAST_SHIFT = 31
const MIN_CAPACITY = 16

/** How many events of many cells have numbers of each bin. */
export class Histogram {
  readonly #room: number
  #shift: number
  /** By the bits of a bin its ordinal: from 1 on in order of first sight; what is no number is counted in bin 0. */
  #binOf: Int32Array
  #bins: Bins = new Bins()
  /** Each cell has room for so many bins. */
  #capacity = MIN_CAPACITY
  #cells = 1
  /** Cell by cell, then bin by bin. */
  #counts = new Uint32Array(MIN_CAPACITY)
  /** By the cell of group 0 that rows were counted in, the one that has the same rows among others. */
  readonly #wholes = new Map<number, { readonly other: number; readonly groups: number }>()
  #numbers: ParamNumbers | null = null
  /** By code of these numbers. */
  #binsOfCodes = new Uint32Array(0)

  /** Has room for so many counts. */
  constructor(room: number) {
    this.#room = room
    this.#shift = Math.max(LEAST_SHIFT, 32 - Math.ceil(Math.log2(room)))
    this.#binOf = new Int32Array(2 ** (32 - this.#shift))
  }

  add(rows: Picked, numbers: ParamNumbers, { firstCells, groups }: CellsOfRows): void {
    if (numbers !== this.#numbers) this.#open(numbers)
    this.#makeRoom(Math.max(this.#cells, ...firstCells.map((first) => first + groups)))
    const [first = 0, ...others] = firstCells
    const [counts, capacity] = [this.#counts, this.#capacity]
    countEach(rows, numbers.codes, this.#binsOfCodes, { counts, first: first * capacity, capacity })
    for (const other of others) this.#wholes.set(first, { other, groups })
  }

  /** Adds the counts of cells that are part of another one to those of that one. To be called once, after all rows. */
  addUp(): void {
    const [counts, capacity] = [this.#counts, this.#capacity]
    for (const [first, { other, groups }] of this.#wholes) {
      for (let at = 0; at < groups * capacity; at++) {
        const sum = other * capacity + at
        counts[sum] = (counts[sum] as number) + (counts[first * capacity + at] as number)
      }
    }
  }

  /** The numbers of a cell in at most about so many ranges, of about as many events each. */
  rangesOf(cell: number, max: number): FlatRanges {
    const counts = this.#counts.subarray(cell * this.#capacity, (cell + 1) * this.#capacity)
    return this.#bins.rangesOf(counts, max)
  }

  #open(numbers: ParamNumbers): void {
    this.#numbers = numbers
    const { near, isInexact } = numbers
    const high = new Uint32Array(near.buffer, near.byteOffset, 2 * near.length)
    this.#binsOfCodes = new Uint32Array(near.length)
    for (let code = 0; code < near.length; code++) {
      const number = near[code] as number
      if (Number.isNaN(number)) continue
      const key = orderedBits(high[2 * code + 1] as number) >>> this.#shift
      let bin = this.#binOf[key] as number
      if (bin === 0) {
        bin = this.#bins.add(key)
        this.#binOf[key] = bin
      }
      this.#bins.widen(bin, number, isInexact)
      this.#binsOfCodes[code] = bin
    }
  }

  #makeRoom(cells: number): void {
    while (this.#shift < LAST_SHIFT && cells * capacityFor(this.#bins.count) > this.#room) this.#coarsen()
    const capacity = Math.max(this.#capacity, capacityFor(this.#bins.count))
    if (capacity === this.#capacity && cells <= this.#cells) return
    const counts = new Uint32Array(cells * capacity * (cells > this.#cells && this.#cells > 1 ? 2 : 1))
    for (let cell = 0; cell < this.#cells; cell++) {
      counts.set(this.#counts.subarray(cell * this.#capacity, (cell + 1) * this.#capacity), cell * capacity)
    }
    this.#counts = counts
    this.#capacity = capacity
    this.#cells = Math.floor(counts.length / capacity)
  }

  /** Makes one bin of two neighbours. */
  #coarsen(): void {
    this.#shift += 1
    this.#binOf = new Int32Array(2 ** (32 - this.#shift))
    const { bins, now } = this.#bins.halved(this.#binOf)
    this.#bins = bins
    const capacity = capacityFor(this.#bins.count)
    const counts = new Uint32Array(this.#cells * capacity)
    for (let cell = 0; cell < this.#cells; cell++) {
      for (let bin = 1; bin < now.length && bin < this.#capacity; bin++) {
        const at = cell * capacity + (now[bin] as number)
        counts[at] = (counts[at] as number) + (this.#counts[cell * this.#capacity + bin] as number)
      }
    }
    this.#counts = counts
    this.#capacity = capacity
    this.#binsOfCodes = this.#binsOfCodes.map((bin) => now[bin] as number)
  }
}

function capacityFor(bins: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(MIN_CAPACITY, bins + 1)))
}

/** The first half of a double's bits as a number that is in the same order. */
function orderedBits(high: number): number {
  return high >>> 31 === 1 ? ~high >>> 0 : (high | 0x8000_0000) >>> 0
}

interface CountsOfCells {
  readonly counts: Uint32Array
  /** Where those of group 0 begin. */
  readonly first: number
  readonly capacity: number
}

function countEach(
  { groups, indexes, from, to }: Picked,
  codes: Uint16Array,
  bins: Uint32Array,
  { counts, first, capacity }: CountsOfCells,
): void {
  for (let row = from; row < to; row++) {
    const bin = bins[codes[indexes ? (indexes[row] as number) : row] as number] as number
    const at = groups ? first + (groups[row] as number) * capacity + bin : first + bin
    counts[at] = (counts[at] as number) + 1
  }
}

/** The bins that have any numbers, by their ordinals, and between which of these they lie. */
class Bins {
  readonly #keys: number[] = [0]
  readonly #least: number[] = [Number.NaN]
  readonly #most: number[] = [Number.NaN]
  /** Whether a number may differ from its nearest double. */
  readonly #isInexact: boolean[] = [false]
  #inOrder: readonly number[] | null = null

  /** Ordinals go up to this. */
  get count(): number {
    return this.#keys.length - 1
  }

  add(key: number): number {
    this.#least.push(Number.POSITIVE_INFINITY)
    this.#most.push(Number.NEGATIVE_INFINITY)
    this.#isInexact.push(false)
    this.#inOrder = null
    return this.#keys.push(key) - 1
  }

  widen(bin: number, number: number, isInexact: boolean): void {
    if (number < (this.#least[bin] as number)) this.#least[bin] = number
    if (number > (this.#most[bin] as number)) this.#most[bin] = number
    if (isInexact) this.#isInexact[bin] = true
  }

  /** Bins of half as many bits, and the ordinal that each bin has there. */
  halved(binOf: Int32Array): { readonly bins: Bins; readonly now: Uint32Array } {
    const bins = new Bins()
    const now = new Uint32Array(this.count + 1)
    for (let bin = 1; bin <= this.count; bin++) {
      const key = (this.#keys[bin] as number) >>> 1
      binOf[key] ||= bins.add(key)
      now[bin] = binOf[key] as number
      const isInexact = this.#isInexact[bin] as boolean
      bins.widen(binOf[key] as number, this.#least[bin] as number, isInexact)
      bins.widen(binOf[key] as number, this.#most[bin] as number, isInexact)
    }
    return { bins, now }
  }

  /** Joins neighbours into at most about so many ranges, of about as many events each. */
  rangesOf(counts: Uint32Array, max: number): FlatRanges {
    const inOrder = this.#ordered().filter((bin) => (counts[bin] as number) > 0)
    const most = (2 * inOrder.reduce((sum, bin) => sum + (counts[bin] as number), 0)) / max
    const ends = new Float64Array(2 * inOrder.length)
    const joined = new Uint32Array(inOrder.length)
    let length = 0
    for (const bin of inOrder) {
      const count = counts[bin] as number
      const last = length > 0 ? (joined[length - 1] as number) : Number.POSITIVE_INFINITY
      if (last + count > most || inOrder.length <= max) {
        ends[2 * length] = this.#leastOf(bin)
        length += 1
      }
      joined[length - 1] = (joined[length - 1] as number) + count
      ends[2 * length - 1] = this.#mostOf(bin)
    }
    return { ends: ends.slice(0, 2 * length), counts: joined.slice(0, length), exact: new Map() }
  }

  #ordered(): readonly number[] {
    this.#inOrder ??= this.#keys
      .map((_, bin) => bin)
      .slice(1)
      .sort((a, b) => (this.#keys[a] as number) - (this.#keys[b] as number))
    return this.#inOrder
  }

  #leastOf(bin: number): number {
    const least = this.#least[bin] as number
    return this.#isInexact[bin] ? neighbourOf(least, -1) : least
  }

  #mostOf(bin: number): number {
    const most = this.#most[bin] as number
    return this.#isInexact[bin] ? neighbourOf(most, 1) : most
  }
}

/** The next double, or the one before. */
function neighbourOf(number: number, direction: 1 | -1): number {
  if (number === 0) return direction * Number.MIN_VALUE
  const bits = new BigInt64Array(Float64Array.of(number).buffer)
  bits[0] = (bits[0] as bigint) + BigInt(number > 0 ? direction : -direction)
  return new Float64Array(bits.buffer)[0] as number
}
