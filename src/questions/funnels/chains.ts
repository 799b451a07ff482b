import type { Span } from '../../columns/columns.ts'
import { Arrivals, endAtExcluded, type TimedEvents, windowEnds } from './arrivals.ts'
import { EntryGroups, type GroupsByEvent } from './entry-groups.ts'
import type { FirstArrivals, UserProgress } from './progress.ts'

export interface Steps {
  /** In order; a name may occur more than once. */
  readonly names: readonly string[]
  readonly windowMilliseconds: number
  /** Whether some events are excluded. */
  readonly hasExclusions: boolean
}

const NONE = -1

/**
 * The chains of users through the steps of a funnel, as docs/rules.md (8) has them.
 *
 * Steps are passed one after another. In each, events meet the chains that arrived at the step before, both in order of
 * time, and an event takes on the chain of its user that waits. So each step of a chain is the first event that can serve
 * it: no other chain from that entry gets further, or as far any sooner. Of several chains that wait, the one with the
 * latest entry goes on and the others end: at the same event it has more of the window left.
 *
 * Where a name comes twice, one thing more is to be seen to: one event serves one step. Then chains that arrived at one
 * instant go on side by side, as one with an older entry may have used fewer of the instant's events.
 *
 * So the arrivals of a user at a step have ever later entries. A chain is read backwards, at the end only.
 *
 * A chain may go on until its window ends or its user does what is excluded, whichever comes first. Of two entries the later
 * one has the later deadline, with excluded events or without, and the chain that arrives first is the one that keeps it, if
 * any does. So all of the above holds for deadlines as for the window alone.
 */
export class Chains {
  readonly bytesPerUser: number
  readonly #steps: Steps
  readonly #hasRepeatedNames: boolean
  /** By step, less 1. */
  readonly #arrivals: readonly Arrivals[]
  /** By user: the furthest step, from 1; 0 for those who did not enter. */
  readonly #furthest: Uint8Array
  /** By user: the arrival there of the chain that stands for the user. */
  readonly #last: Int32Array
  /** By user: the latest arrival at the step before that waits for an event. */
  readonly #waiting: Int32Array
  readonly #groups = new EntryGroups()
  /** By entry: the last instant at which its chains may arrive anywhere; null where only the window ends them. */
  #deadlines: Float64Array | null = null
  /** By user, for those deadlines. */
  #following: Float64Array | null = null
  /** The step that events are to serve, from 1. */
  #step = 1
  /** The first arrival at the step before that is later than all events so far. */
  #next = 0
  /** At which some chains of a user arrived: how many events of this step's name there were so far. */
  readonly #instant = { time: NONE, user: NONE, events: 0 }

  constructor(steps: Steps, userCount: number) {
    this.#steps = steps
    this.bytesPerUser = steps.hasExclusions ? 17 : 9
    this.#hasRepeatedNames = new Set(steps.names).size < steps.names.length
    this.#arrivals = steps.names.map(() => new Arrivals())
    this.#furthest = new Uint8Array(userCount)
    this.#last = new Int32Array(userCount)
    this.#waiting = new Int32Array(userCount).fill(NONE)
  }

  /** From the first entry until the last window has ended; null where nobody entered. */
  get span(): Span | null {
    const { times, length } = this.#arrivals[0] as Arrivals
    if (length === 0) return null
    return { from: times[0] as number, to: (times[length - 1] as number) + this.#steps.windowMilliseconds + 1 }
  }

  /** Forgets all chains, once their progress was added. */
  restart(): void {
    this.#forgetWaiting()
    this.#step = 1
    this.#deadlines = null
    for (const arrivals of this.#arrivals) arrivals.length = 0
  }

  /**
   * Every event counts as a possible start; those of a user at one instant are one entry, of the group that sorts first. Returns the
   * index of the first event that would be an entry too many; `to` if there is none.
   */
  enter({ times, users, from, to }: TimedEvents, groups: GroupsByEvent | null, maxEntries: number): number {
    const entries = this.#arrivals[0] as Arrivals
    entries.makeRoom(Math.min(entries.length + to - from, maxEntries))
    this.#groups.makeRoom(groups ? entries.times.length : 0)
    let entry = entries.length - 1
    let event = from
    for (; event < to; event++) {
      const time = times[event] as number
      const user = users[event] as number
      if (entry >= 0 && entries.times[entry] === time && entries.users[entry] === user) {
        if (groups) this.#groups.prefer(entry, groups, event)
        continue
      }
      if (entries.length >= maxEntries) break
      entry = entries.add(time, user, entries.length, NONE)
      if (groups) this.#groups.add(entry, groups, event)
      if (this.#furthest[user] !== 0) continue
      this.#furthest[user] = 1
      this.#last[user] = entry
    }
    if (groups) this.#groups.leave(groups)
    return event
  }

  /** Takes excluded events of one name, from the last to the first. */
  *exclude(backwards: Iterable<TimedEvents>): Generator<void> {
    const entries = this.#arrivals[0] as Arrivals
    this.#deadlines ??= windowEnds(entries, this.#steps.windowMilliseconds)
    this.#following ??= new Float64Array(this.#last.length)
    yield* endAtExcluded({ entries, deadlines: this.#deadlines, following: this.#following }, backwards)
  }

  /** From now on events are those of the next step. */
  nextStep(): void {
    this.#forgetWaiting()
    this.#next = 0
    this.#instant.time = NONE
    this.#step++
  }

  /** Nobody waits any more for an event of this step. */
  #forgetWaiting(): void {
    if (this.#step === 1) return
    const { users, length } = this.#arrivals[this.#step - 2] as Arrivals
    for (let arrival = 0; arrival < length; arrival++) this.#waiting[users[arrival] as number] = NONE
  }

  /** Each event takes on the chain of its user that waits. */
  advance(events: TimedEvents): void {
    const reached = this.#arrivals[this.#step - 2] as Arrivals
    const { times, users, entries, older, length } = reached
    const { limits, allowed } = this.#limits()
    const waiting = this.#waiting
    let next = this.#next
    for (let event = events.from; event < events.to; event++) {
      const time = events.times[event] as number
      const user = events.users[event] as number
      for (; next < length && (times[next] as number) <= time; next++) {
        const comer = users[next] as number
        older[next] = waiting[comer] as number
        waiting[comer] = next
      }
      const arrival = waiting[user] as number
      if (arrival === NONE) continue
      if (this.#hasRepeatedNames && times[arrival] === time) {
        this.#takeOnWithinInstant(time, user)
        continue
      }
      waiting[user] = NONE
      if (time - (limits[entries[arrival] as number] as number) <= allowed) this.#arrive(time, user, arrival)
    }
    this.#next = next
  }

  /** By entry an instant, and how much later its chains may arrive: its own one and the window, or its deadline and nothing. */
  #limits(): { limits: Float64Array; allowed: number } {
    if (this.#deadlines) return { limits: this.#deadlines, allowed: 0 }
    return { limits: (this.#arrivals[0] as Arrivals).times, allowed: this.#steps.windowMilliseconds }
  }

  /** The furthest step stands for a user; of the chains that get there the first to arrive; of those the latest entry. */
  #arrive(time: number, user: number, before: number): void {
    const step = this.#step
    const entry = (this.#arrivals[step - 2] as Arrivals).entries[before] as number
    const arrivals = this.#arrivals[step - 1] as Arrivals
    if (arrivals.length === arrivals.times.length) arrivals.makeRoom(arrivals.length + 1)
    const arrival = arrivals.add(time, user, entry, before)
    if (this.#furthest[user] === step && arrivals.times[this.#last[user] as number] !== time) return
    this.#furthest[user] = step
    this.#last[user] = arrival
  }

  /** One event serves one step: the second one of a name at an instant serves those who have used the first one there. */
  #takeOnWithinInstant(time: number, user: number): void {
    const instant = this.#instant
    const isSame = instant.time === time && instant.user === user
    instant.events = isSame ? instant.events + 1 : 1
    instant.time = time
    instant.user = user
    this.#waiting[user] = this.#takeOn(this.#waiting[user] as number)
  }

  /** Returns who still waits. The oldest go first, as they have used fewest and later entries are to come later. */
  #takeOn(arrival: number): number {
    if (arrival === NONE) return NONE
    const { time, user, events } = this.#instant
    const reached = this.#arrivals[this.#step - 2] as Arrivals
    if (reached.times[arrival] === time) {
      reached.older[arrival] = this.#takeOn(reached.older[arrival] as number)
      if (this.#usedAtInstant(arrival) >= events) return arrival
    }
    const entry = reached.entries[arrival] as number
    const { limits, allowed } = this.#limits()
    if (time - (limits[entry] as number) <= allowed) this.#arrive(time, user, arrival)
    return NONE
  }

  /** How many events of this step's name a chain has used at the instant. */
  #usedAtInstant(arrival: number): number {
    const { names } = this.#steps
    let used = 0
    let at = arrival
    for (let step = this.#step - 1; step > 0; step--) {
      const { times, before } = this.#arrivals[step - 1] as Arrivals
      if (times[at] !== this.#instant.time) break
      if (names[step - 1] === names[this.#step - 1]) used++
      at = before[at] as number
    }
    return used
  }

  /** Adds the progress of all users who entered, and forgets it. */
  addTo(best: FirstArrivals): void {
    const entries = this.#arrivals[0] as Arrivals
    for (let entry = 0; entry < entries.length; entry++) {
      const user = entries.users[entry] as number
      const furthest = this.#furthest[user] as number
      if (furthest === 0) continue
      this.#furthest[user] = 0
      // Whoever entered before did so earlier.
      if (furthest === 1 && best.furthestOf(user) > 0) continue
      const { times } = this.#arrivals[furthest - 1] as Arrivals
      const row = best.rowFor(user, furthest, times[this.#last[user] as number] as number)
      if (row !== NONE) this.#setRow(best.progress, row, user, furthest)
    }
  }

  #setRow(progress: UserProgress, row: number, user: number, furthest: number): void {
    let arrival = this.#last[user] as number
    const { entries } = this.#arrivals[furthest - 1] as Arrivals
    progress.furthest[row] = furthest
    progress.groups[row] = this.#groups.ordinalOf(entries[arrival] as number)
    if (progress.gaps.steps === 0) return
    const page = progress.gaps.pageOf(row)
    const index = progress.gaps.indexOf(row)
    for (let step = furthest; step > 1; step--) {
      const { times, before } = this.#arrivals[step - 1] as Arrivals
      const time = times[arrival] as number
      arrival = before[arrival] as number
      page[index + step - 2] = time - ((this.#arrivals[step - 2] as Arrivals).times[arrival] as number)
    }
  }
}
