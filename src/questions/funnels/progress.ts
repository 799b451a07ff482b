import { enlarged } from '../../columns/flat-arrays.ts'

/** Times between steps, in milliseconds. */
export type Gaps = Float64Array | Uint32Array

/** The array type whose elements can hold times of up to `longest` milliseconds. */
export function gapArrayFor(longest: number): typeof Uint32Array | typeof Float64Array {
  return longest < 2 ** 32 ? Uint32Array : Float64Array
}

interface ProgressParams {
  readonly users: number
  /** The number of steps whose gaps are needed. */
  readonly steps: number
  readonly longest: number
  readonly isGrouped: boolean
}

/** The memory of a user's progress without gaps, in bytes. */
export function progressBytes(isGrouped: boolean): number {
  return isGrouped ? 9 : 5
}

/** How far each user who entered in a period got. */
export class UserProgress {
  /** Per user: the furthest step so far, from 1; 0 for users who did not enter. */
  readonly furthest: Uint8Array
  readonly bytesPerUser: number
  /** Times from the previous step, per row and step (less 2). */
  readonly gaps: GapTable
  /** Per user: the ordinal of the group. Empty if nothing is grouped. */
  readonly #groups: Uint32Array
  /** Per user: the row plus 1; 0 for users who did not reach the second step. */
  readonly #rows: Uint32Array
  #rowCount = 0

  constructor({ users, steps, longest, isGrouped }: ProgressParams) {
    this.furthest = new Uint8Array(users)
    this.#groups = new Uint32Array(isGrouped ? users : 0)
    this.#rows = new Uint32Array(users)
    this.gaps = new GapTable({ steps, longest })
    this.bytesPerUser = progressBytes(isGrouped)
  }

  /** The ordinal of a user's group; 0 if nothing is grouped. */
  groupOf(user: number): number {
    return this.#groups[user] ?? 0
  }

  /** The row of a user who reached the second step. */
  rowOf(user: number): number {
    return (this.#rows[user] as number) - 1
  }

  /** Records how far a user got. Returns the row whose gaps must be written, or -1 at the first step. */
  note(user: number, furthest: number, group: number): number {
    this.furthest[user] = furthest
    // Has no effect on the empty array if nothing is grouped.
    this.#groups[user] = group
    if (furthest === 1) return -1
    if (this.#rows[user] === 0) this.#rows[user] = ++this.#rowCount
    return this.rowOf(user)
  }

  /** Records how far a user got, and the gaps between steps; `times` has the times of the steps, later steps first. */
  noteTimes(user: number, furthest: number, group: number, times: Float64Array): void {
    const row = this.note(user, furthest, group)
    if (row < 0 || this.gaps.steps === 0) return
    const page = this.gaps.pageOf(row)
    const index = this.gaps.indexOf(row)
    for (let step = 2; step <= furthest; step++) {
      const at = furthest - step
      page[index + step - 2] = (times[at] as number) - (times[at + 1] as number)
    }
  }
}

const PAGE_BITS = 13
const PAGE_ROWS = 2 ** PAGE_BITS

/** A gap for each row and step, in pages: they are not copied to grow, and the gaps of a row are adjacent. */
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

  /** The page with the gaps of a row, which begin at `indexOf(row)`. */
  pageOf(row: number): Gaps {
    const number = row >>> PAGE_BITS
    for (let next = this.#pages.length; next <= number; next++) this.#pages.push(new this.#Page(PAGE_ROWS * this.steps))
    return this.#pages[number] as Gaps
  }

  indexOf(row: number): number {
    return (row & (PAGE_ROWS - 1)) * this.steps
  }

  /** A list with room for `length` gaps. */
  list(length: number): Gaps {
    return new this.#Page(length)
  }
}

export interface FoundProgress {
  readonly now: UserProgress
  /** Progress in the preceding period, without gaps. */
  readonly before: UserProgress
}

/** When each user who entered in a period arrived at their furthest step. Entries are read in order of time. */
export class FirstArrivals {
  static readonly bytesPerRow = 8
  readonly progress: UserProgress
  /** Times of arrival, by row of `progress`. */
  #times = new Float64Array()
  #latest = Number.NEGATIVE_INFINITY

  constructor(progress: UserProgress) {
    this.progress = progress
  }

  /** Whether a user past the first step reached the furthest one before a time. By the latest time, all had. */
  hasArrivedBefore(user: number, time: number): boolean {
    return time > this.#latest || (this.#times[this.progress.rowOf(user)] as number) < time
  }

  /** Records that the user of a row arrived at a time. */
  note(row: number, time: number): void {
    this.#times = grown(this.#times, row + 1)
    this.#times[row] = time
    this.#latest = Math.max(this.#latest, time)
  }
}

/** Returns the array, with room for this length. It grows by at least half, so that it seldom grows. */
export function grown<A extends Parameters<typeof enlarged>[0]>(array: A, length: number): A {
  return length <= array.length ? array : enlarged(array, Math.max(length, Math.ceil(1.5 * array.length)))
}
