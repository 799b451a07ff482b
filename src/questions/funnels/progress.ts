import type { UserRange } from '../../columns/columns.ts'
import { enlarged } from '../../columns/flat-arrays.ts'

/** Milliseconds. */
export type Gaps = Float64Array | Uint32Array

/** Arrays that have room for times up to the longest. */
export function gapArrayFor(longest: number): typeof Uint32Array | typeof Float64Array {
  return longest < 2 ** 32 ? Uint32Array : Float64Array
}

/** What a row takes without gaps. */
const ROW_BYTES = 9

/** How far the users who entered in a period got: one row per user, in no particular order. */
export class UserProgress {
  length = 0
  /** From 1. */
  furthest = new Uint8Array()
  /** The ordinal of the group; 0 where nothing is grouped. */
  groups = new Uint32Array()
  users = new Uint32Array()
  /** Time from the previous step, by row and step less 2; of no step if nobody needs it. */
  readonly gaps: GapTable
  readonly bytesPerUser: number

  constructor(gaps: { readonly steps: number; readonly longest: number }) {
    this.gaps = new GapTable(gaps)
    this.bytesPerUser = ROW_BYTES + this.gaps.bytesPerRow
  }

  get bytes(): number {
    return this.furthest.length * ROW_BYTES + this.gaps.bytes
  }

  /** Returns a new row for a user. */
  add(user: number): number {
    const row = this.length++
    if (row >= this.furthest.length) this.#makeRoom(row + 1)
    this.users[row] = user
    return row
  }

  #makeRoom(length: number): void {
    this.furthest = grown(this.furthest, length)
    this.groups = grown(this.groups, length)
    this.users = grown(this.users, length)
  }
}

const PAGE_BITS = 13
const PAGE_ROWS = 2 ** PAGE_BITS

/** A gap for each row and step. In pages, as there are many: they need not be copied to grow, and those of a row are side by side. */
class GapTable {
  readonly steps: number
  readonly #pages: Gaps[] = []
  readonly #Page: typeof Uint32Array | typeof Float64Array

  constructor({ steps, longest }: { readonly steps: number; readonly longest: number }) {
    this.steps = steps
    this.#Page = gapArrayFor(longest)
  }

  get bytesPerRow(): number {
    return this.steps * this.#Page.BYTES_PER_ELEMENT
  }

  get bytes(): number {
    return this.#pages.length * PAGE_ROWS * this.bytesPerRow
  }

  /** Where the gaps of a row are written: those of a page from an index on. */
  pageOf(row: number): Gaps {
    const number = row >>> PAGE_BITS
    for (let next = this.#pages.length; next <= number; next++) this.#pages.push(new this.#Page(PAGE_ROWS * this.steps))
    return this.#pages[number] as Gaps
  }

  indexOf(row: number): number {
    return (row & (PAGE_ROWS - 1)) * this.steps
  }

  /** A list of so many gaps. */
  list(length: number): Gaps {
    return new this.#Page(length)
  }
}

export interface FoundProgress {
  readonly now: UserProgress
  /** In the period before; without gaps. */
  readonly before: UserProgress
}

/** The furthest progress so far of each user of a range who entered in one period. */
export class BestProgress {
  static readonly bytesPerUser = 5
  readonly #progress: UserProgress
  /** By user, counted from the first one of the range: the row plus 1; 0 for users who did not enter. */
  readonly #rows: Uint32Array
  /** By user, so that most events are done with after a look at one small array. */
  readonly #furthest: Uint8Array
  readonly #first: number

  constructor(progress: UserProgress, { from, to }: UserRange) {
    this.#progress = progress
    this.#rows = new Uint32Array(to - from)
    this.#furthest = new Uint8Array(to - from)
    this.#first = from
  }

  /** 0 for a user who did not enter. */
  furthestOf(user: number): number {
    return this.#furthest[user] as number
  }

  /** Records that a user got further. The times of the steps are in an array from an index on, later steps first. */
  set(user: number, furthest: number, group: number, times: Float64Array, from: number): void {
    const row = this.#rowOf(user)
    const { gaps } = this.#progress
    this.#furthest[user] = furthest
    this.#progress.furthest[row] = furthest
    this.#progress.groups[row] = group
    if (gaps.steps === 0 || furthest === 1) return
    const page = gaps.pageOf(row)
    const index = gaps.indexOf(row)
    for (let step = 2; step <= furthest; step++) {
      const at = from + furthest - step
      page[index + step - 2] = (times[at] as number) - (times[at + 1] as number)
    }
  }

  #rowOf(user: number): number {
    const index = this.#rows[user] as number
    if (index > 0) return index - 1
    this.#rows[user] = this.#progress.add(this.#first + user) + 1
    return this.#progress.length - 1
  }
}

/** When each user who entered in one period arrived at their furthest step, as far as entries were looked at: in order of time. */
export class FirstArrivals {
  static readonly bytesPerUser = 5
  static readonly bytesPerRow = 8
  readonly progress: UserProgress
  /** By user: 0 for those who did not enter. */
  readonly furthest: Uint8Array
  /** By user: the row plus 1; 0 for users who did not enter. */
  readonly #rows: Uint32Array
  /** By row. */
  #times = new Float64Array()
  #latest = Number.NEGATIVE_INFINITY

  constructor(progress: UserProgress, users: number) {
    this.progress = progress
    this.furthest = new Uint8Array(users)
    this.#rows = new Uint32Array(users)
  }

  /** Whether a user who has a row arrived before a time. Nobody did later than the latest of all, which most chains do. */
  hasArrivedBefore(user: number, time: number): boolean {
    return time > this.#latest || (this.#times[(this.#rows[user] as number) - 1] as number) < time
  }

  /** The row of a user, who arrived at this time. */
  rowFor(user: number, time: number): number {
    let row = (this.#rows[user] as number) - 1
    if (row < 0) {
      row = this.progress.add(user)
      this.#times = grown(this.#times, row + 1)
      this.#rows[user] = row + 1
    }
    this.#times[row] = time
    this.#latest = Math.max(this.#latest, time)
    return row
  }
}

/** The array with room for this length. It grows by at least half, so that it does not grow often. */
export function grown<A extends Parameters<typeof enlarged>[0]>(array: A, length: number): A {
  return length <= array.length ? array : enlarged(array, Math.max(length, Math.ceil(1.5 * array.length)))
}
