import type { Period } from '../base/time/period.ts'

/** Users of a day. */
interface DayUsers {
  readonly users: Uint32Array
  /** The users at [from, to); one may be there more than once. */
  readonly from: number
  readonly to: number
}

/** Distinct users of the week, the month, … that ends with each day of a period, all from one pass. */
export class RollingUsers {
  readonly #from: number
  readonly #days: number
  readonly #longest: number
  /** The day of each user's last activity. */
  readonly #lastDays: Int32Array
  /** Users by day and by the days since their activity before: 0 is the same day, the longest stands for all longer ones. */
  readonly #counts: Uint32Array

  /** `longest` is the greatest number of days to ask for. */
  constructor(userCount: number, { from, to }: Period, longest: number) {
    this.#from = from
    this.#days = to - from + 1
    this.#longest = longest
    this.#lastDays = new Int32Array(userCount).fill(from - longest)
    this.#counts = new Uint32Array(this.#days * (longest + 1))
  }

  /** Days come in order; one may come in several slices. */
  add(day: number, { users, from, to }: DayUsers): void {
    const [lastDays, counts, longest] = [this.#lastDays, this.#counts, this.#longest]
    const row = (day - this.#from) * (longest + 1)
    for (let index = from; index < to; index++) {
      const user = users[index] as number
      const since = day - (lastDays[user] as number)
      lastDays[user] = day
      const cell = row + Math.min(since, longest)
      counts[cell] = (counts[cell] as number) + 1
    }
  }

  /** For each day of the period the distinct users of the days that end with it, as far as those were added. */
  within(days: number): number[] {
    const changes = new Int32Array(this.#days + days)
    for (let day = 0; day < this.#days; day++) this.#countDay(day, days, changes)
    let users = 0
    return Array.from(changes.subarray(0, this.#days), (change) => {
      users += change
      return users
    })
  }

  /** A user active `since` days earlier counts until `days` after that; from then on, or at once, they count for this day's activity. */
  #countDay(day: number, days: number, changes: Int32Array): void {
    const row = day * (this.#longest + 1)
    for (let since = 1; since <= this.#longest; since++) {
      const users = this.#counts[row + since] as number
      const begin = day + Math.max(0, days - since)
      changes[begin] = (changes[begin] as number) + users
      changes[day + days] = (changes[day + days] as number) - users
    }
  }
}
