import { MS_PER_HOUR } from '../base/time/days.ts'
import { cachedArray, newOwner } from './segment-cache.ts'
import type { Numbers, Store } from './store.ts'

/** A change of this name's id tells objects to read what the database remembers of users: those whose messenger ids its times name. */
export const REMEMBERED = -1

/** What the database remembers of a user's first events that are no longer stored. Contexts are ordinals plus 1; 0 for none. */
export interface Remembered {
  /** When their first event happened. */
  readonly time: number
  readonly context: number
  /** When their earliest event with a start parameter happened; infinite if none did. */
  readonly startTime: number
  readonly startContext: number
}

/** What the database remembers of users, by messenger id. Contexts are its ids; 0 for none. */
export type RememberedRows = ReadonlyMap<number, Remembered>

/** An event with a start parameter acquires a user until so long after the first event of that user. */
export const ACQUIRING_MS = 24 * MS_PER_HOUR

/** Whether the earliest event with a start parameter acquired the user. */
export function isAcquired({ time, startTime }: Remembered): boolean {
  return startTime <= time + ACQUIRING_MS
}

interface Ordinals {
  readonly userCount: number
  userOf(telegramId: number): number | null
  readonly contexts: { ordinalOf(id: number): number }
}

/** The earlier of two first events, and of two events with a start parameter; the second of each pair if both are of one instant. */
function earlierOf(a: Remembered | null, b: Remembered): Remembered {
  if (!a) return b
  const first = a.time < b.time ? a : b
  const start = a.startTime < b.startTime ? a : b
  return { time: first.time, context: first.context, startTime: start.startTime, startContext: start.startContext }
}

const ARRAYS = {
  time: ['remembered times', Float64Array, Number.POSITIVE_INFINITY],
  context: ['remembered contexts', Uint32Array, 0],
  startTime: ['remembered start times', Float64Array, Number.POSITIVE_INFINITY],
  startContext: ['remembered start contexts', Uint32Array, 0],
} as const

type Field = keyof typeof ARRAYS
const FIELDS = Object.keys(ARRAYS) as Field[]

type Learned = readonly [user: number, remembered: Remembered | null]

/** Whether anything is remembered. */
const IS_USED = 'remembers'

/** What each user is remembered for, as arrays by user. Most applications remember nothing, and then there are no arrays. */
export class RememberedUsers {
  readonly #store: Store
  #owner = newOwner()
  #count: number
  /** Whether anything is remembered. */
  isUsed: boolean

  /** Throws `Damaged` if it is not remembered of as many users. */
  constructor(store: Store, userCount: number) {
    this.#store = store
    this.isUsed = store.note<boolean>(IS_USED) === true
    this.#count = this.isUsed ? userCount : 0
    for (const field of FIELDS) store.requireLength(ARRAYS[field][0], ARRAYS[field][1], this.#count)
  }

  /** Looks users up. */
  reader(): (user: number) => Remembered | null {
    if (!this.isUsed) return () => null
    const [times, contexts] = [this.#cached('time'), this.#cached('context')]
    const [startTimes, startContexts] = [this.#cached('startTime'), this.#cached('startContext')]
    return (user) => {
      const context = contexts[user] ?? 0
      if (context === 0) return null
      const [time, startTime] = [times[user] as number, startTimes[user] as number]
      return { time, context, startTime, startContext: startContexts[user] as number }
    }
  }

  /** From now on something may be remembered of each user. Runs within a transaction. */
  begin(count: number): void {
    if (this.isUsed) return
    for (const field of FIELDS) this.#append(field, [], count)
    this.#store.setNote(IS_USED, true)
    this.isUsed = true
    this.#count = count
  }

  /** Learns what is remembered of some users, instead of what was; null for nothing. `count` includes new users. Runs within a transaction. */
  learn(learned: Iterable<Learned>, count: number): void {
    const users = [...learned]
    if (!this.isUsed && users.every(([, remembered]) => remembered === null)) return
    this.begin(this.#count)
    if (users.length === 0 && count === this.#count) return
    const known = users.filter(([user]) => user < this.#count)
    const others = users.filter(([user]) => user >= this.#count)
    for (const field of FIELDS) {
      if (known.length > 0) this.#rewrite(field, known)
      this.#append(field, others, count)
    }
    this.#count = count
    this.#owner = newOwner()
  }

  /** Learns what the database remembers of users, which may be less than what is known of them here. Runs within a transaction. */
  learnRows(rows: RememberedRows, ordinals: Ordinals): void {
    const known = this.reader()
    const contextOf = (id: number) => (id === 0 ? 0 : ordinals.contexts.ordinalOf(id) + 1)
    const learned = [...rows].flatMap(([telegramId, { context, startContext, ...times }]): Learned[] => {
      const user = ordinals.userOf(telegramId)
      if (user === null) return []
      const row = { ...times, context: contextOf(context), startContext: contextOf(startContext) }
      return [[user, earlierOf(known(user), row)]]
    })
    this.learn(learned, ordinals.userCount)
  }

  #rewrite(field: Field, users: readonly Learned[]): void {
    const [name, type, missing] = ARRAYS[field]
    const all = this.#store.readArray<Numbers>(name, type, this.#count)
    for (const [user, remembered] of users) all[user] = remembered ? remembered[field] : missing
    this.#store.rewriteItems(
      name,
      all,
      users.map(([user]) => user),
    )
  }

  #append(field: Field, users: readonly Learned[], count: number): void {
    const [name, type, missing] = ARRAYS[field]
    const items: Numbers = new type(count - this.#count).fill(missing)
    for (const [user, remembered] of users) if (remembered) items[user - this.#count] = remembered[field]
    if (items.length > 0) this.#store.appendArray(name, this.#count, items)
  }

  #cached<F extends Field>(field: F): InstanceType<(typeof ARRAYS)[F][1]> {
    const [name, type] = ARRAYS[field]
    const read = () => this.#store.readArray<Numbers>(name, type, this.#count)
    return cachedArray(`${this.#owner} ${name}`, read) as InstanceType<(typeof ARRAYS)[F][1]>
  }
}
