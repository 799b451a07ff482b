import { type Day, type Followed, OTHER_KIND } from './days.ts'
import { progressBytes, type UserProgress } from './progress.ts'
import type { FunnelQuery } from './query.ts'

/** Beside the chains of a user: whether an entry is recorded in the period of the day. */
const HAS_ENTERED = 1 << 15

/** What the names of a day are, by their codes. */
interface Names {
  /** The first step, else `OTHER_KIND`. */
  readonly ranks: Uint8Array
  /** A bit for each step that an event can be on this day. */
  readonly steps: Uint16Array
}

/**
 * Follows users through steps that directly follow each other, as docs/rules.md (8) has them, from the first day to the last.
 *
 * A chain is a row of neighbours among the user's events, so the event with which it ends and its length say all of it. A bit
 * for each length says which chains end with the user's last event so far. Only those of two events or more are looked at more
 * closely, which few events continue: for all others it is enough to note what and when the last event was.
 *
 * Nothing needs to be done about excluded events: all that happens later than the first event of a chain and earlier than its
 * last one lies between them, and there is nothing but the chain itself, whose events are steps.
 */
export class StrictOrder {
  static bytesPerUser({ steps, groupBy }: FunnelQuery): number {
    return 2 + 2 * progressBytes(groupBy.length > 0) + (steps.length - 1) * (groupBy.length > 0 ? 12 : 8)
  }

  readonly #stepCount: number
  readonly #windowMilliseconds: number
  readonly #hasGroups: boolean
  /** Of the period. */
  readonly #start: number
  readonly #firstUser: number
  readonly #now: UserProgress
  readonly #before: UserProgress
  /** Whether the first day of the period has begun. */
  #isInPeriod = false
  /** By user: bit n - 1 for a chain of n events that ends with the last event, and `HAS_ENTERED`. */
  readonly #chains: Uint16Array
  /** By user: when the last event was. */
  readonly #lastTimes: Float64Array
  /** By user the times of the events before it, the latest first: of as many as the longest chain has that is not complete. */
  readonly #earlierTimes: Float64Array
  /** Their groups; empty where nothing is grouped. */
  readonly #lastGroups: Uint32Array
  readonly #earlierGroups: Uint32Array
  /** Of the chain that is looked at, the latest event first. */
  readonly #times: Float64Array
  readonly #groups: Uint32Array
  /** By name. */
  readonly #rankOf: ReadonlyMap<string, number>
  /** By rank, which is the first step of the name, a bit for each step that it is. */
  readonly #stepsOf: Uint16Array

  constructor({ query, start, users, now, before }: Followed) {
    const { steps, groupBy } = query
    const count = users.to - users.from
    this.#stepCount = steps.length
    this.#windowMilliseconds = query.windowMilliseconds
    this.#hasGroups = groupBy.length > 0
    this.#start = start
    this.#firstUser = users.from
    this.#now = now
    this.#before = before
    const withGroups = this.#hasGroups ? count : 0
    this.#chains = new Uint16Array(count)
    this.#lastTimes = new Float64Array(count)
    this.#earlierTimes = new Float64Array(count * (steps.length - 2))
    this.#lastGroups = new Uint32Array(withGroups)
    this.#earlierGroups = new Uint32Array(withGroups * (steps.length - 2))
    this.#times = new Float64Array(steps.length)
    this.#groups = new Uint32Array(steps.length)
    this.#rankOf = new Map(steps.map((name) => [name, steps.indexOf(name)]))
    this.#stepsOf = new Uint16Array(steps.length)
    for (const [index, name] of steps.entries()) {
      const rank = steps.indexOf(name)
      this.#stepsOf[rank] = (this.#stepsOf[rank] as number) | (1 << index)
    }
  }

  take(day: Day): void {
    this.#beginPeriod(day)
    const names = this.#namesOf(day)
    const { users, times, codes, indexes, passes, groups, midnight, length } = day
    const [firstUser, last] = [this.#firstUser, length - 1]
    for (let event = 0; event < length; event++) {
      const timeOfDay = times[event] as number
      if (event < last && times[event + 1] === timeOfDay && users[event + 1] === users[event]) {
        event = this.#takeInstant(day, names, event) - 1
        continue
      }
      const isUsable = passes === null || passes[indexes[event] as number] === 1
      const steps = isUsable ? (names.steps[codes[event] as number] as number) : 0
      const group = groups ? (groups[indexes[event] as number] as number) : 0
      this.#takeEvent((users[event] as number) - firstUser, midnight + timeOfDay, steps, group)
    }
  }

  /** Nobody has entered in the period when its first day begins. */
  #beginPeriod({ midnight }: Day): void {
    if (midnight < this.#start || this.#isInPeriod) return
    this.#isInPeriod = true
    const chains = this.#chains
    for (let user = 0; user < chains.length; user++) chains[user] = (chains[user] as number) & ~HAS_ENTERED
  }

  #namesOf({ names, hasEntries }: Day): Names {
    const [ranks, steps] = [new Uint8Array(names.length), new Uint16Array(names.length)]
    const counted = hasEntries ? ~0 : ~1
    for (let code = 0; code < names.length; code++) {
      const rank = this.#rankOf.get(names[code] as string)
      ranks[code] = rank ?? OTHER_KIND
      steps[code] = rank === undefined ? 0 : (this.#stepsOf[rank] as number) & counted
    }
    return { ranks, steps }
  }

  /** All events of a user at an instant, in order of their ranks. Returns the index of the next event. */
  #takeInstant(day: Day, names: Names, start: number): number {
    const { users, times, codes, length } = day
    let end = start + 1
    while (end < length && times[end] === times[start] && users[end] === users[start]) end++
    for (let rank = 0; rank < this.#stepCount; rank++) {
      for (let event = start; event < end; event++) {
        if (names.ranks[codes[event] as number] === rank) this.#takeOneOf(day, names, event)
      }
    }
    for (let event = start; event < end; event++) {
      if (names.ranks[codes[event] as number] === OTHER_KIND) this.#takeOneOf(day, names, event)
    }
    return end
  }

  /** One of several at an instant. */
  #takeOneOf({ users, times, codes, indexes, passes, groups, midnight }: Day, names: Names, event: number): void {
    const isUsable = passes === null || passes[indexes[event] as number] === 1
    const steps = isUsable ? (names.steps[codes[event] as number] as number) : 0
    const group = groups ? (groups[indexes[event] as number] as number) : 0
    this.#takeEvent((users[event] as number) - this.#firstUser, midnight + (times[event] as number), steps, group)
  }

  /** Most events neither continue a chain nor are the first entry of their user. */
  #takeEvent(user: number, time: number, steps: number, group: number): void {
    const known = this.#chains[user] as number
    const chains = ((known << 1) | 1) & steps
    if ((chains & ~(known >>> 15)) === 0) this.#chains[user] = chains | (known & HAS_ENTERED)
    else this.#takeChains(user, chains, time, group)
    this.#lastTimes[user] = time
    if (this.#hasGroups) this.#lastGroups[user] = group
  }

  /** Chains that end with a user's event, before it is noted as the last one. Those that have taken longer than the window end. */
  #takeChains(user: number, chains: number, time: number, group: number): void {
    const known = (this.#chains[user] as number) & HAS_ENTERED
    const longest = 32 - Math.clz32(chains)
    this.#readChain(user, longest, time, group)
    let left = chains
    for (let length = longest; length > 0; length--) {
      const bit = 1 << (length - 1)
      if ((chains & bit) === 0) continue
      const entry = this.#times[length - 1] as number
      if (time - entry > this.#windowMilliseconds) left ^= bit
      else this.#record(user, length, entry)
    }
    this.#noteEarlier(user, Math.min(longest, this.#stepCount - 1))
    this.#chains[user] = left | known | ((left & 1) << 15)
  }

  #record(user: number, length: number, entry: number): void {
    const progress = entry >= this.#start ? this.#now : this.#before
    const ordinal = this.#firstUser + user
    if (length <= (progress.furthest[ordinal] as number)) return
    progress.noteTimes(ordinal, length, this.#groups[length - 1] as number, this.#times)
  }

  #readChain(user: number, length: number, time: number, group: number): void {
    const [times, groups] = [this.#times, this.#groups]
    const offset = user * (this.#stepCount - 2) - 2
    times[0] = time
    groups[0] = group
    if (length > 1) times[1] = this.#lastTimes[user] as number
    for (let index = 2; index < length; index++) times[index] = this.#earlierTimes[offset + index] as number
    if (!this.#hasGroups) return
    if (length > 1) groups[1] = this.#lastGroups[user] as number
    for (let index = 2; index < length; index++) groups[index] = this.#earlierGroups[offset + index] as number
  }

  /** All of the chain that was read but its event, which will be the last one. */
  #noteEarlier(user: number, length: number): void {
    const offset = user * (this.#stepCount - 2) - 1
    for (let index = 1; index < length; index++) this.#earlierTimes[offset + index] = this.#times[index] as number
    if (!this.#hasGroups) return
    for (let index = 1; index < length; index++) this.#earlierGroups[offset + index] = this.#groups[index] as number
  }
}
