import type { Pairs } from './columns.ts'

export interface KnownUsers {
  readonly userCount: number
  /** Whether a user was there before the first day that is kept. */
  isKnownBefore(user: number): boolean
}

interface KnownDays {
  /** Days that have, or had, events. */
  known(): readonly number[]
  pairsOf(day: number): Pairs
}

/**
 * The day of each user's first stored event, and from it the number of new users of each day: those who were not known before.
 * It is complete from the first update on.
 */
export class FirstDays {
  readonly #known: KnownDays
  readonly #users: KnownUsers
  #days = new Int32Array(0)
  /** The number of users whose first event is on a day, and of the new ones among them. */
  #firsts = new Map<number, number>()
  #newUsers = new Map<number, number>()
  /** Days to look at; null for all days. */
  #touched: Set<number> | null = null
  /** How often all days were looked at. */
  generation = 0

  constructor(known: KnownDays, users: KnownUsers) {
    this.#known = known
    this.#users = users
  }

  /** The first day of each user, which is earlier than any day for users who were known before. The array may be longer than needed. */
  get days(): Int32Array {
    return this.#days
  }

  /** Whether a user has no event, as far as the last update knows. */
  isNever(user: number): boolean {
    return (this.#days[user] ?? NEVER) === NEVER
  }

  /** The day of a user's first stored event, whether the user was known before or not. */
  firstOf(user: number): number {
    const day = this.#days[user] ?? NEVER
    return day < 0 ? day - EARLIER : day
  }

  /** The number of users whose first stored event is on a day. */
  firstsOn(day: number): number {
    return this.#firsts.get(day) ?? 0
  }

  newUsersOn(day: number): number {
    return this.#newUsers.get(day) ?? 0
  }

  /** Days that ever had new users, and how many they have. */
  entries(): IterableIterator<[day: number, newUsers: number]> {
    return this.#newUsers.entries()
  }

  /** Notes that the events of a day changed. */
  touch(day: number): void {
    this.#touched?.add(day)
  }

  /** Notes that other users were known before, or that days were dropped. */
  forget(): void {
    this.#touched = null
  }

  /** Looks at the days that changed, one before each yield. Several updates may run at a time. */
  *update(): Generator<void> {
    for (;;) {
      this.#touched ??= this.#begin()
      const [day] = this.#touched
      if (day === undefined) return
      this.#touched.delete(day)
      if (!this.#lookAt(day)) this.forget()
      yield
    }
  }

  /** Returns all days. */
  #begin(): Set<number> {
    this.#days = new Int32Array(0)
    this.#firsts = new Map()
    this.#newUsers = new Map()
    this.generation += 1
    return new Set(this.#known.known())
  }

  /** Returns false if a user's first day lost that user: only looking at all days then finds the new first day. */
  #lookAt(day: number): boolean {
    this.#makeRoom()
    const { users, length } = this.#known.pairsOf(day)
    let firsts = 0
    for (let pair = 0; pair < length; pair += 1) {
      const user = users[pair] as number
      if (pair > 0 && users[pair - 1] === user) continue
      const first = this.firstOf(user)
      if (first >= day) firsts += 1
      if (first > day) this.#setFirst(user, { day, before: first })
    }
    return firsts === this.firstsOn(day)
  }

  #setFirst(user: number, { day, before }: { day: number; before: number }): void {
    const isKnown = this.#users.isKnownBefore(user)
    this.#days[user] = isKnown ? day + EARLIER : day
    for (const counts of isKnown ? [this.#firsts] : [this.#firsts, this.#newUsers]) {
      counts.set(day, (counts.get(day) ?? 0) + 1)
      if (before !== NEVER) counts.set(before, (counts.get(before) ?? 0) - 1)
    }
  }

  #makeRoom(): void {
    const { userCount } = this.#users
    if (userCount <= this.#days.length) return
    const longer = new Int32Array(Math.ceil(userCount * 1.25)).fill(NEVER)
    longer.set(this.#days)
    this.#days = longer
  }
}

/** Added to a day, it makes one that is earlier than any. */
const EARLIER = -(2 ** 30)

/** The first day of users without stored events: later than any other. */
export const NEVER = 2 ** 31 - 1
