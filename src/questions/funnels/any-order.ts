import { Chooser, type Day, type Followed, OTHER_KIND } from './days.ts'
import { progressBytes, type UserProgress } from './progress.ts'
import type { FunnelQuery } from './query.ts'

const NOWHERE = -1

/**
 * Follows users through steps in any order (docs/rules.md, section 8), from the last day to the first.
 *
 * From an entry on, a name with n steps can use only its next n events. So the state of a user is the times of these,
 * and the time of the next excluded event. Going back in time, the first entry that gets furthest is the latest one
 * that does.
 */
export class AnyOrder {
  static bytesPerUser({ steps, excluded, groupBy }: FunnelQuery): number {
    return 2 * progressBytes(groupBy.length > 0) + (steps.length + Number(excluded.length > 0)) * 8
  }

  readonly #stepCount: number
  readonly #windowMilliseconds: number
  readonly #hasExclusions: boolean
  /** When the period begins, in milliseconds since 1970 UTC. */
  readonly #start: number
  readonly #chooser = new Chooser()
  readonly #firstUser: number
  readonly #now: UserProgress
  readonly #before: UserProgress
  /** Per distinct name of steps: where its times begin in `#next`. The last entry is the number of steps. */
  readonly #starts: Uint8Array
  /** Per user and step: the times of each name's next events, name by name, ascending; Infinity for none. */
  readonly #next: Float64Array
  /** Per user: the time of the next excluded event. Empty if nothing is excluded. */
  readonly #nextExcluded: Float64Array
  /** Kinds by name: a step's index among the distinct names; for excluded names, the number of these. */
  readonly #kinds: ReadonlyMap<string, number>
  /** Times of the events that serve steps, the latest first. */
  readonly #served: Float64Array

  constructor({ query, start, users, now, before }: Followed) {
    const { steps, excluded } = query
    const count = users.to - users.from
    const names = [...new Set(steps)]
    const sorted = steps.toSorted((a, b) => names.indexOf(a) - names.indexOf(b))
    this.#stepCount = steps.length
    this.#windowMilliseconds = query.windowMilliseconds
    this.#hasExclusions = excluded.length > 0
    this.#start = start
    this.#firstUser = users.from
    this.#now = now
    this.#before = before
    this.#starts = Uint8Array.from([...names.map((name) => sorted.indexOf(name)), steps.length])
    this.#next = new Float64Array(count * steps.length).fill(Number.POSITIVE_INFINITY)
    this.#nextExcluded = new Float64Array(excluded.length > 0 ? count : 0).fill(Number.POSITIVE_INFINITY)
    this.#kinds = new Map([
      ...names.map((name, kind) => [name, kind] as const),
      ...excluded.map((name) => [name, names.length] as const),
    ])
    this.#served = new Float64Array(steps.length)
  }

  take(day: Day): void {
    const { users, times, midnight } = day
    const kinds = this.#kindsOf(day)
    const events = this.#chooser.choose(day, kinds)
    for (let index = this.#chooser.count - 1; index >= 0; ) {
      const event = events[index] as number
      const before = index > 0 ? (events[index - 1] as number) : event
      const isAlone = before === event || times[before] !== times[event] || users[before] !== users[event]
      if (isAlone) {
        const time = midnight + (times[event] as number)
        this.#takeEvent(day, event, (users[event] as number) - this.#firstUser, time, kinds)
        index--
      } else index = this.#takeInstant(day, kinds, events, index)
    }
  }

  /** Takes the only event of a user at an instant, as most are. */
  #takeEvent(day: Day, event: number, user: number, time: number, kinds: Uint8Array): void {
    const { codes, indexes, passes, groups, hasEntries } = day
    const kind = kinds[codes[event] as number] as number
    if (kind === this.#starts.length - 1) this.#nextExcluded[user] = time
    else if (passes === null || passes[indexes[event] as number] === 1) {
      this.#add(user, kind, time)
      if (hasEntries) this.#enter(user, time, groups ? (groups[indexes[event] as number] as number) : 0)
    }
  }

  /** Takes a user's events at an instant, from the last one back. Returns the index before them, or -1. */
  #takeInstant(day: Day, kinds: Uint8Array, events: Uint32Array, last: number): number {
    const { users, times, codes, indexes, passes, groups } = day
    const ordinal = users[events[last] as number] as number
    const timeOfDay = times[events[last] as number] as number
    const user = ordinal - this.#firstUser
    const time = day.midnight + timeOfDay
    const excluded = this.#starts.length - 1
    let entry = NOWHERE
    let isExcluded = false
    let index = last
    for (; index >= 0; index--) {
      const event = events[index] as number
      if (times[event] !== timeOfDay || users[event] !== ordinal) break
      const kind = kinds[codes[event] as number] as number
      if (kind === excluded) isExcluded = true
      else if (passes === null || passes[indexes[event] as number] === 1) {
        this.#add(user, kind, time)
        if (entry === NOWHERE) entry = event
      }
    }
    if (entry !== NOWHERE && day.hasEntries)
      this.#enter(user, time, groups ? (groups[indexes[entry] as number] as number) : 0)
    if (isExcluded) this.#nextExcluded[user] = time
    return index
  }

  /** Returns kinds by the day's codes of names. */
  #kindsOf({ names }: Day): Uint8Array {
    const kinds = new Uint8Array(names.length).fill(OTHER_KIND)
    for (let code = 0; code < names.length; code++) kinds[code] = this.#kinds.get(names[code] as string) ?? OTHER_KIND
    return kinds
  }

  /** Adds the next event of a name. The name's event that is furthest away serves no more. */
  #add(user: number, kind: number, time: number): void {
    const next = this.#next
    const offset = user * this.#stepCount
    const first = offset + (this.#starts[kind] as number)
    for (let index = offset + (this.#starts[kind + 1] as number) - 1; index > first; index--) {
      next[index] = next[index - 1] as number
    }
    next[first] = time
  }

  #enter(user: number, time: number, group: number): void {
    const progress = time >= this.#start ? this.#now : this.#before
    const ordinal = this.#firstUser + user
    const furthest = progress.furthest[ordinal] as number
    if (furthest === this.#stepCount) return
    let deadline = time + this.#windowMilliseconds
    if (this.#hasExclusions) deadline = Math.min(deadline, this.#nextExcluded[user] as number)
    const count = this.#countUntil(user, deadline)
    if (count <= furthest) return
    // Most entries reach no second step.
    if (count > 1) this.#serveUntil(user, deadline)
    progress.noteTimes(ordinal, count, group, this.#served)
  }

  /** Counts the steps served. It has no branches to mispredict: most entries get no further than others. */
  #countUntil(user: number, deadline: number): number {
    const from = user * this.#stepCount
    let count = 0
    for (let step = 0; step < this.#stepCount; step++) count += Number((this.#next[from + step] as number) <= deadline)
    return count
  }

  /** Fills `#served` with the times of the steps served. */
  #serveUntil(user: number, deadline: number): void {
    const served = this.#served
    const from = user * served.length
    let count = 0
    for (let step = 0; step < served.length; step++) {
      const time = this.#next[from + step] as number
      if (time > deadline) continue
      let index = count++
      for (; index > 0 && (served[index - 1] as number) < time; index--) served[index] = served[index - 1] as number
      served[index] = time
    }
  }
}
