import type { Gaps, Ways } from './ways.ts'

/** The furthest way so far of each user of a range, with an entry in one period. */
export class Records {
  readonly #ways: Ways
  /** By user, counted from the first one of the range: the place of the way, plus 1; 0 for those who did not enter. */
  readonly #places: Uint32Array

  constructor(ways: Ways, users: number) {
    this.#ways = ways
    this.#places = new Uint32Array(users)
  }

  /** 0 for somebody who did not enter. */
  furthestOf(user: number): number {
    const place = this.#places[user] as number
    return place === 0 ? 0 : (this.#ways.furthest[place - 1] as number)
  }

  /** A way that got further. The times of its steps lie in an array from a place on, those of later steps first. */
  set(user: number, furthest: number, group: number, times: Float64Array, from: number): void {
    const way = this.#wayOf(user)
    const { gaps } = this.#ways
    this.#ways.furthest[way] = furthest
    this.#ways.groups[way] = group
    if (gaps.length === 0) return
    for (let step = 2; step <= furthest; step++) {
      const at = from + furthest - step
      ;(gaps[step - 2] as Gaps)[way] = (times[at] as number) - (times[at + 1] as number)
    }
  }

  #wayOf(user: number): number {
    const place = this.#places[user] as number
    if (place > 0) return place - 1
    const ways = this.#ways
    if (ways.length === ways.furthest.length) ways.makeRoom(ways.length + 1)
    ways.length++
    this.#places[user] = ways.length
    return ways.length - 1
  }
}
