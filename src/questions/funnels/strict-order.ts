import { type Day, type Followed, OTHER_KIND } from './days.ts'
import { progressBytes, type UserProgress } from './progress.ts'
import type { FunnelQuery } from './query.ts'

/** The bit beside a user's chains: an entry is recorded in the period of the current day. */
const HAS_ENTERED = 1 << 15

/** What the names of a day mean, by their codes. */
interface Names {
  /** The index of the first step with the name, or `OTHER_KIND`. */
  readonly ranks: Uint8Array
  /** A bit for each step that an event of the name can be on this day. */
  readonly steps: Uint16Array
}

/**
 * Follows users through steps that directly follow each other (docs/rules.md, section 8), from the first day to the
 * last.
 *
 * A chain is a run of adjacent events of a user, so its last event and its length identify it. A bit for each length
 * says which chains end with the user's last event so far. Only chains of two events or more, which few events
 * continue, need more work: for all other events, recording what and when the last event was is enough.
 *
 * Excluded events need no work: everything between the first and the last event of a chain is part of the chain, whose
 * events are steps.
 */
export class StrictOrder {
  static bytesPerUser({ steps, groupBy }: FunnelQuery): number {
    return 2 + 2 * progressBytes(groupBy.length > 0) + (steps.length - 1) * (groupBy.length > 0 ? 12 : 8)
  }

  readonly #stepCount: number
  readonly #windowMilliseconds: number
  readonly #hasGroups: boolean
  /** When the period begins, in milliseconds since 1970 UTC. */
  readonly #start: number
  readonly #firstUser: number
  readonly #now: UserProgress
  readonly #before: UserProgress
  /** Whether the first day of the period has begun. */
  #isInPeriod = false
  /** Per user: bit n - 1 for a chain of n events that ends with the last event, and `HAS_ENTERED`. */
  readonly #chains: Uint16Array
  /** Per user: the time of the last event. */
  readonly #lastTimes: Float64Array
  /** Per user: times before the last event, latest first, as many as the longest incomplete chain has. */
  readonly #earlierTimes: Float64Array
  /** The groups of the last and the earlier events. Empty if nothing is grouped. */
  readonly #lastGroups: Uint32Array
  readonly #earlierGroups: Uint32Array
  /** Times and groups of the chain being read, the latest event first. */
  readonly #times: Float64Array
  readonly #groups: Uint32Array
  /** Ranks by name; a rank is the index of the first step with the name. */
  readonly #rankOf: ReadonlyMap<string, number>
  /** Per rank: a bit for each step that has the name. */
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

  /** Clears `HAS_ENTERED` when the period begins: nobody has entered in it yet. */
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

  /** Takes all events of a user at an instant, in order of their ranks. Returns the index of the next event. */
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

  /** Takes one of several events at an instant. */
  #takeOneOf({ users, times, codes, indexes, passes, groups, midnight }: Day, names: Names, event: number): void {
    const isUsable = passes === null || passes[indexes[event] as number] === 1
    const steps = isUsable ? (names.steps[codes[event] as number] as number) : 0
    const group = groups ? (groups[indexes[event] as number] as number) : 0
    this.#takeEvent((users[event] as number) - this.#firstUser, midnight + (times[event] as number), steps, group)
  }

  /** Takes an event. Most neither continue a chain nor are the first entry of their user. */
  #takeEvent(user: number, time: number, steps: number, group: number): void {
    const known = this.#chains[user] as number
    const chains = ((known << 1) | 1) & steps
    if ((chains & ~(known >>> 15)) === 0) this.#chains[user] = chains | (known & HAS_ENTERED)
    else this.#takeChains(user, chains, time, group)
    this.#lastTimes[user] = time
    if (this.#hasGroups) this.#lastGroups[user] = group
  }

  /** Records chains that end with an event, before it becomes the last one. Those longer than the window end. */
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
    this.#storeEarlier(user, Math.min(longest, this.#stepCount - 1))
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

  /** Stores the chain that was read as earlier events, without its latest event, which will be the last one. */
  #storeEarlier(user: number, length: number): void {
    const offset = user * (this.#stepCount - 2) - 1
    for (let index = 1; index < length; index++) this.#earlierTimes[offset + index] = this.#times[index] as number
    if (!this.#hasGroups) return
    for (let index = 1; index < length; index++) this.#earlierGroups[offset + index] = this.#groups[index] as number
  }
}
