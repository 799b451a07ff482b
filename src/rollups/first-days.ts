import type { Columns } from '../columns/columns.ts'

/** The day of each user's first event ever, from which follows how many users are new on a day. */
export class FirstDays {
  #days = new Int32Array(0)
  readonly #newUsers = new Map<number, number>()

  newUsersOn(day: number): number {
    return this.#newUsers.get(day) ?? 0
  }

  /** Days and their new users, where there ever were any. */
  entries(): IterableIterator<[day: number, newUsers: number]> {
    return this.#newUsers.entries()
  }

  /**
   * Takes in that the events of a day changed. Returns false if users are gone from the day that was their first: only looking at
   * all days tells which one is now.
   */
  update(day: number, columns: Pick<Columns, 'pairsOf' | 'userCount'>): boolean {
    this.#makeRoom(columns.userCount)
    const { users, length } = columns.pairsOf(day)
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

  #makeRoom(users: number): void {
    if (users <= this.#days.length) return
    const longer = new Int32Array(Math.ceil(users * 1.25)).fill(NEVER)
    longer.set(this.#days)
    this.#days = longer
  }
}

const NEVER = 2 ** 31 - 1
