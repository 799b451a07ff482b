import { Chooser, type Day, type Followed, OTHER_KIND } from './days.ts'
import { BestProgress } from './progress.ts'
import type { FunnelQuery } from './query.ts'

/**
 * Follows users through steps that directly follow each other, as docs/rules.md (8) has them, from the first day to the last.
 *
 * A chain is a row of neighbours among the user's events, so the event with which it ends and its length say all of it. A bit
 * for each length says which chains end with the user's last event so far, and the times of as many events are remembered as
 * a chain can have. Most users are in no chain at most times, and most events change nothing about that.
 *
 * Nothing needs to be done about excluded events: all that happens later than the first event of a chain and earlier than its
 * last one lies between them, and there is nothing but the chain itself, whose events are steps.
 */
export class StrictOrder {
  static bytesPerUser({ steps, groupBy }: FunnelQuery): number {
    return 2 + 2 * BestProgress.bytesPerUser + steps.length * (groupBy.length > 0 ? 12 : 8)
  }

  readonly #stepCount: number
  readonly #windowMilliseconds: number
  readonly #hasGroups: boolean
  /** Of the period. */
  readonly #start: number
  readonly #chooser = new Chooser()
  readonly #firstUser: number
  readonly #now: BestProgress
  readonly #before: BestProgress
  /** By user: bit n - 1 for a chain of n events that ends with the last event. */
  readonly #chains: Uint16Array
  /** By user the times of the last events, the latest first: of as many as the longest of these chains has. */
  readonly #times: Float64Array
  /** And their groups; empty where nothing is grouped. */
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
    this.#chains = new Uint16Array(count)
    this.#times = new Float64Array(count * steps.length)
    this.#groups = new Uint32Array(groupBy.length > 0 ? count * steps.length : 0)
    this.#rankOf = new Map(steps.map((name) => [name, steps.indexOf(name)]))
    this.#stepsOf = new Uint16Array(steps.length)
    for (const [index, name] of steps.entries()) {
      const rank = steps.indexOf(name)
      this.#stepsOf[rank] = (this.#stepsOf[rank] as number) | (1 << index)
    }
  }

  take(day: Day): void {
    const ranks = this.#ranksOf(day)
    const events = this.#chooser.chooseAlso(day, ranks, this.#chains, this.#firstUser)
    const { count } = this.#chooser
    const { users, times, codes, length } = day
    let taken = 0
    for (let index = 0; index < count; index++) {
      const event = events[index] as number
      if (event < taken) continue
      const [user, time] = [users[event] as number, times[event] as number]
      const [before, after] = [Math.max(0, event - 1), Math.min(event + 1, length - 1)]
      const isWithOthers =
        (before !== event && times[before] === time && users[before] === user) ||
        (after !== event && times[after] === time && users[after] === user)
      const rank = ranks[codes[event] as number] as number
      if (isWithOthers) taken = this.#takeInstant(day, ranks, event)
      else if (rank === OTHER_KIND) this.#end(user - this.#firstUser)
      else {
        this.#takeEvent(day, event, rank)
        this.#endBeforeOthers(day, ranks, user, event + 1)
      }
    }
  }

  /** By code of a name on the day. */
  #ranksOf({ names }: Day): Uint8Array {
    const ranks = new Uint8Array(names.length)
    for (let code = 0; code < names.length; code++) ranks[code] = this.#rankOf.get(names[code] as string) ?? OTHER_KIND
    return ranks
  }

  /** Several events of an instant, in order of their ranks. Returns the index of the next event after it. */
  #takeInstant(day: Day, ranks: Uint8Array, event: number): number {
    const { users, times, length } = day
    const user = users[event] as number
    const time = times[event] as number
    let start = event
    let end = event + 1
    while (start > 0 && times[start - 1] === time && users[start - 1] === user) start--
    while (end < length && times[end] === time && users[end] === user) end++
    this.#takeSeveral(day, ranks, start, end)
    this.#endBeforeOthers(day, ranks, user, end)
    return end
  }

  #endBeforeOthers(day: Day, ranks: Uint8Array, user: number, next: number): void {
    const index = user - this.#firstUser
    if (this.#chains[index] !== 0 && isFollowedByOthers(day, ranks, next)) this.#end(index)
  }

  #takeSeveral(day: Day, ranks: Uint8Array, start: number, end: number): void {
    const { codes } = day
    for (let rank = 0; rank < this.#stepCount; rank++) {
      for (let event = start; event < end; event++) {
        if (ranks[codes[event] as number] === rank) this.#takeEvent(day, event, rank)
      }
    }
    for (let event = start; event < end; event++) {
      if (ranks[codes[event] as number] === OTHER_KIND) this.#takeEvent(day, event, OTHER_KIND)
    }
  }

  #takeEvent(day: Day, event: number, rank: number): void {
    const user = (day.users[event] as number) - this.#firstUser
    const { passes, groups, indexes } = day
    const isUsable = rank !== OTHER_KIND && (passes === null || passes[indexes[event] as number] === 1)
    const continued = ((this.#chains[user] as number) << 1) | Number(day.hasEntries)
    const chains = isUsable ? continued & (this.#stepsOf[rank] as number) : 0
    this.#chains[user] = chains
    if (chains === 0) return
    const from = user * this.#stepCount
    const longest = 32 - Math.clz32(chains)
    moveOn(this.#times, from, longest, day.midnight + (day.times[event] as number))
    if (groups) moveOn(this.#groups, from, longest, groups[indexes[event] as number] as number)
    this.#record(user, from, longest)
  }

  #end(user: number): void {
    this.#chains[user] = 0
  }

  /** Most chains are a single event, of users of whom that is known. */
  #recordEntry(user: number, from: number, time: number): void {
    const records = time >= this.#start ? this.#now : this.#before
    if (records.furthestOf(user) > 0) return
    records.set(user, 1, this.#hasGroups ? (this.#groups[from] as number) : 0, this.#times, from)
  }

  /** Those that have taken longer than the window end. */
  #record(user: number, from: number, longest: number): void {
    const times = this.#times
    const time = times[from] as number
    let chains = this.#chains[user] as number
    if (chains === 1) {
      this.#recordEntry(user, from, time)
      return
    }
    for (let length = longest; length > 0; length--) {
      const bit = 1 << (length - 1)
      if ((chains & bit) === 0) continue
      const entry = times[from + length - 1] as number
      if (time - entry > this.#windowMilliseconds) {
        chains ^= bit
        continue
      }
      const records = entry >= this.#start ? this.#now : this.#before
      if (length <= records.furthestOf(user)) continue
      records.set(user, length, this.#hasGroups ? (this.#groups[from + length - 1] as number) : 0, times, from)
    }
    this.#chains[user] = chains
  }
}

/** Whether the user's next instant on the day has no step: it was not chosen then, and ends all chains. */
function isFollowedByOthers({ users, times, codes, length }: Day, ranks: Uint8Array, next: number): boolean {
  if (next === length || users[next] !== users[next - 1]) return false
  const [user, time] = [users[next], times[next]]
  for (let event = next; event < length && times[event] === time && users[event] === user; event++) {
    if (ranks[codes[event] as number] !== OTHER_KIND) return false
  }
  return true
}

/** Puts a number before others, of which so many are kept with it. */
function moveOn(numbers: Float64Array | Uint32Array, from: number, length: number, number: number): void {
  for (let index = from + length - 1; index > from; index--) numbers[index] = numbers[index - 1] as number
  numbers[from] = number
}
