import type { UserRange } from '../../columns/columns.ts'
import { enlarged } from '../../columns/flat-arrays.ts'

/** Milliseconds. */
export type Gaps = Float64Array | Uint32Array

/** How far the users who entered in a period got: one row per user, in no particular order. */
export class UserProgress {
  length = 0
  /** From 1. */
  furthest = new Uint8Array()
  /** The ordinal of the group; 0 where nothing is grouped. */
  groups = new Uint32Array()
  users = new Uint32Array()
  /** Time from the previous step, by step less 2; of no step if nobody needs it. */
  readonly gaps: Gaps[]
  readonly bytesPerUser: number

  constructor(gaps: { readonly steps: number; readonly longest: number }) {
    const GapArray = gaps.longest < 2 ** 32 ? Uint32Array : Float64Array
    this.gaps = Array.from({ length: gaps.steps }, () => new GapArray())
    this.bytesPerUser = 9 + gaps.steps * GapArray.BYTES_PER_ELEMENT
  }

  get bytes(): number {
    return this.furthest.length * this.bytesPerUser
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
    for (const [index, gaps] of this.gaps.entries()) this.gaps[index] = grown(gaps, length)
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
    if (gaps.length === 0) return
    for (let step = 2; step <= furthest; step++) {
      const at = from + furthest - step
      ;(gaps[step - 2] as Gaps)[row] = (times[at] as number) - (times[at + 1] as number)
    }
  }

  #rowOf(user: number): number {
    const index = this.#rows[user] as number
    if (index > 0) return index - 1
    this.#rows[user] = this.#progress.add(this.#first + user) + 1
    return this.#progress.length - 1
  }
}

const NO_ROW = -1

/** When each user who entered in one period arrived at their furthest step, as far as entries were looked at: in order of time. */
export class FirstArrivals {
  static readonly bytesPerUser = 4
  static readonly bytesPerRow = 8
  readonly progress: UserProgress
  /** By user: the row plus 1; 0 for users who did not enter. */
  readonly #rows: Uint32Array
  /** By row. */
  #times = new Float64Array()

  constructor(progress: UserProgress, users: number) {
    this.progress = progress
    this.#rows = new Uint32Array(users)
  }

  /** The row for a user who got as far or further, and that no later; else -1. Who comes now entered later, and so stands for the user. */
  rowFor(user: number, furthest: number, time: number): number {
    let row = (this.#rows[user] as number) - 1
    if (row === NO_ROW) {
      row = this.progress.add(user)
      this.#times = grown(this.#times, row + 1)
      this.#rows[user] = row + 1
    } else {
      const known = this.progress.furthest[row] as number
      if (known > furthest || (known === furthest && (this.#times[row] as number) < time)) return NO_ROW
    }
    this.#times[row] = time
    return row
  }
}

/** The array with room for this length. It grows by at least half, so that it does not grow often. */
export function grown<A extends Parameters<typeof enlarged>[0]>(array: A, length: number): A {
  return length <= array.length ? array : enlarged(array, Math.max(length, Math.ceil(1.5 * array.length)))
}
