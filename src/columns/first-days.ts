import type { Pairs } from './columns.ts'

export interface FirstDaysSource {
  pairsOf(day: number): Pairs
  readonly userCount: number
  /** Days on which something happened, or happened once. */
  known(): readonly number[]
}

/** The day of each user's first event ever, from which follows how many users are new on a day. Known from the first update on. */
export class FirstDays {
  readonly #source: FirstDaysSource
  #days = new Int32Array(0)
  #newUsers = new Map<number, number>()
  /** Days that are to be looked at; null where that is all of them. */
  #touched: Set<number> | null = null

  constructor(source: FirstDaysSource) {
    this.#source = source
  }

  /** By user; may be longer than there are users. */
  get days(): Int32Array {
    return this.#days
  }

  /** Whether a user has no event, as far as the last update knows. */
  isNever(user: number): boolean {
    return (this.#days[user] ?? NEVER) === NEVER
  }

  newUsersOn(day: number): number {
    return this.#newUsers.get(day) ?? 0
  }

  /** Days and their new users, where there ever were any. */
  entries(): IterableIterator<[day: number, newUsers: number]> {
    return this.#newUsers.entries()
  }

  /** Notes that the events of a day changed. */
  touch(day: number): void {
    this.#touched?.add(day)
  }

  /** Looks at the days that changed, one between two yields. Others may do so meanwhile. */
  *update(): Generator<void> {
    for (;;) {
      this.#touched ??= this.#forget()
      const [day] = this.#touched
      if (day === undefined) return
      this.#touched.delete(day)
      if (!this.#lookAt(day)) this.#touched = null
      yield
    }
  }

  /** Returns all days. */
  #forget(): Set<number> {
    this.#days = new Int32Array(0)
    this.#newUsers = new Map()
    return new Set(this.#source.known())
  }

  /** Returns false if users are gone from the day that was their first: only looking at all days tells which one is now. */
  #lookAt(day: number): boolean {
    this.#makeRoom()
    const { users, length } = this.#source.pairsOf(day)
    let firsts = 0
    for (let pair = 0; pair < length; pair += 1) {
      const user = users[pair] as number
      if (pair > 0 && users[pair - 1] === user) continue
      const first = this.#days[user] as number
      if (first >= day) firsts += 1
      if (first <= day) continue
      if (first !== NEVER) this.#add(first, -1)
      this.#days[user] = day
      this.#add(day, 1)
    }
    return firsts === this.newUsersOn(day)
  }

  #add(day: number, users: number): void {
    this.#newUsers.set(day, this.newUsersOn(day) + users)
  }

  #makeRoom(): void {
    const { userCount } = this.#source
    if (userCount <= this.#days.length) return
    const longer = new Int32Array(Math.ceil(userCount * 1.25)).fill(NEVER)
    longer.set(this.#days)
    this.#days = longer
  }
}

/** Later than any day. */
const NEVER = 2 ** 31 - 1
