import type { Span } from '../../columns/columns.ts'
import { ARRIVAL_BYTES, Arrivals, DEADLINE_BYTES, endAtExcluded, type TimedEvents, windowEnds } from './arrivals.ts'
import { EntryGroups, type GroupsByEvent } from './entry-groups.ts'
import { type FirstArrivals, type Gaps, gapArrayFor, grown } from './progress.ts'

export interface Steps {
  /** The names of steps in order; a name may occur more than once. */
  readonly names: readonly string[]
  readonly windowMilliseconds: number
  /** Whether some events are excluded. */
  readonly hasExclusions: boolean
}

const NONE = -1
/** The limit of `#firstWaiting`, so that positions of waiting chains stay below 31 bits. */
const MAX_WAITING = 2 ** 30

/**
 * The chains of users through the steps of a funnel (docs/rules.md, section 8).
 *
 * Steps are passed one after another. In each, events meet the chains that arrived at the step before, both in order of
 * time, and an event continues the waiting chain of its user. So each step of a chain is the first event that can serve
 * it: no other chain from that entry gets further, or as far any sooner. Of several waiting chains, the one with the
 * latest entry continues and the others end: at the same event, it has more of the window left.
 *
 * Names that occur twice need one more rule: one event serves one step. Chains that arrived at one instant then
 * continue side by side, as one with an older entry may have used fewer of the instant's events.
 *
 * So a user's arrivals at a step have ever later entries, and an entry has one chain, which is in one place at a time.
 *
 * A chain may continue until its window ends or its user has an excluded event, whichever comes first. Of two entries,
 * the later one has the later deadline, with or without exclusions, and the chain that arrives first is the one that
 * meets it, if any does. So all of the above holds for deadlines as for the window alone.
 */
export class Chains {
  readonly bytesPerUser: number
  readonly bytesPerEntry: number
  readonly #steps: Steps
  readonly #hasRepeatedNames: boolean
  readonly #entries = new Arrivals()
  /** Per entry and step (less 2): how long after the entry its chain arrived there, in milliseconds, if it did. */
  #offsets: Gaps
  /**
   * Arrivals at the step before and, in the same list, at this one: an arrival overwrites an earlier one that waits or
   * waited, as nothing of it is needed any more.
   */
  readonly #arrivals = new Arrivals()
  #best: FirstArrivals
  /** Per user: the entry whose chain represents the user; `NONE` if there is no such entry since the restart. */
  readonly #last: Int32Array
  /** Per user: the latest entry whose chain waits for an event, plus `#firstWaiting`; less than that if none waits. */
  readonly #waiting: Int32Array
  #firstWaiting = 0
  /** Per entry: the entry that waited when its chain arrived. Used only if a name is repeated. */
  #older = new Int32Array()
  readonly #groups = new EntryGroups()
  /** Per entry: the last instant at which its chains may arrive anywhere; null if only the window ends them. */
  #deadlines: Float64Array | null = null
  /** Per user: the first excluded event of those read so far, from which deadlines follow. */
  #following: Float64Array | null = null
  /** The step that events now serve, from 1. */
  #step = 1
  /** Arrivals at the step before: the index of the first one after all events so far, and their number. */
  #next = 0
  #reached = 0
  /** The user and instant at which chains arrived, and how many events of this step's name it had so far. */
  readonly #instant = { time: NONE, user: NONE, events: 0 }

  constructor(steps: Steps, best: FirstArrivals) {
    const { names, windowMilliseconds, hasExclusions } = steps
    const users = best.progress.furthest.length
    this.#steps = steps
    this.#best = best
    this.#hasRepeatedNames = new Set(names).size < names.length
    this.#offsets = new (gapArrayFor(windowMilliseconds))(0)
    this.#last = new Int32Array(users).fill(NONE)
    this.#waiting = new Int32Array(users).fill(NONE)
    this.bytesPerUser = hasExclusions ? 16 : 8
    // No chain continues from the last step, so it has no list.
    const lists = Math.min(2, names.length - 1)
    this.bytesPerEntry =
      lists * ARRIVAL_BYTES +
      (this.#hasRepeatedNames ? this.#older.BYTES_PER_ELEMENT : 0) +
      (names.length - 1) * this.#offsets.BYTES_PER_ELEMENT +
      (hasExclusions ? DEADLINE_BYTES : 0)
  }

  /** The time from the first entry to the end of the last window; null without entries. */
  get span(): Span | null {
    const { times, length } = this.#entries
    if (length === 0) return null
    return { from: times[0] as number, to: (times[length - 1] as number) + this.#steps.windowMilliseconds + 1 }
  }

  /** Records the progress of all chains and forgets them. With another `best`, entries of another period follow. */
  restart(best = this.#best): void {
    this.#recordProgress()
    this.#forgetWaiting()
    this.#best = best
    this.#step = 1
    this.#entries.length = 0
    this.#deadlines = null
  }

  /**
   * Adds entries: any event may start a chain, and a user's events at one instant are one entry, of the group that
   * sorts first. Returns the index of the first event beyond `maxEntries`, or `to`.
   */
  enter({ times, users, from, to }: TimedEvents, groups: GroupsByEvent | null, maxEntries: number): number {
    const entries = this.#entries
    const { furthest } = this.#best.progress
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
      if (entry + 1 >= maxEntries) break
      entry++
      entries.add(time, user, entry)
      if (groups) this.#groups.add(entry, groups, event)
      if (furthest[user] !== 0) continue
      furthest[user] = 1
      if (groups) this.#last[user] = entry
    }
    if (groups) this.#groups.leave(groups)
    return event
  }

  /** Lowers deadlines by the excluded events of one name, from the last to the first. */
  *exclude(backwards: Iterable<TimedEvents>): Generator<void> {
    const entries = this.#entries
    this.#deadlines ??= windowEnds(entries, this.#steps.windowMilliseconds)
    this.#following ??= new Float64Array(this.#last.length)
    yield* endAtExcluded({ entries, deadlines: this.#deadlines, following: this.#following }, backwards)
  }

  /** Moves to the next step, whose events follow. */
  nextStep(): void {
    this.#forgetWaiting()
    const { length } = this.#entries
    if (this.#step === 1) {
      this.#offsets = grown(this.#offsets, length * (this.#steps.names.length - 1))
      if (this.#hasRepeatedNames) this.#older = grown(this.#older, length)
    }
    this.#step++
    this.#reached = this.#step === 2 ? length : this.#arrivals.length
    this.#arrivals.length = 0
    this.#next = 0
    this.#instant.time = NONE
  }

  /** Makes all chains stop waiting for an event of this step. */
  #forgetWaiting(): void {
    if (this.#step === 1) return
    this.#firstWaiting += this.#entries.length
    if (this.#firstWaiting < MAX_WAITING) return
    this.#firstWaiting = 0
    this.#waiting.fill(NONE)
  }

  /** Lets each event continue the waiting chain of its user. */
  advance(events: TimedEvents): void {
    const { times, users, entries } = this.#step === 2 ? this.#entries : this.#arrivals
    const { limits, allowed } = this.#limits()
    const [waiting, first, hasRepeatedNames] = [this.#waiting, this.#firstWaiting, this.#hasRepeatedNames]
    const length = this.#reached
    let next = this.#next
    for (let event = events.from; event < events.to; event++) {
      const time = events.times[event] as number
      const user = events.users[event] as number
      for (; next < length && (times[next] as number) <= time; next++) {
        const comer = users[next] as number
        const entry = entries[next] as number
        if (hasRepeatedNames) this.#older[entry] = (waiting[comer] as number) - first
        waiting[comer] = first + entry
      }
      const entry = (waiting[user] as number) - first
      if (entry < 0) continue
      if (hasRepeatedNames && this.#arrivalOf(entry, this.#step - 1) === time) {
        this.#takeOnWithinInstant(time, user)
        continue
      }
      waiting[user] = NONE
      if (time - (limits[entry] as number) <= allowed) this.#arrive(time, user, entry)
    }
    this.#next = next
  }

  /** How long chains may arrive: `allowed` ms after the limit of their entry, which is the time of the entry, or its deadline. */
  #limits(): { limits: Float64Array; allowed: number } {
    if (this.#deadlines) return { limits: this.#deadlines, allowed: 0 }
    return { limits: this.#entries.times, allowed: this.#steps.windowMilliseconds }
  }

  /** Records an arrival. A user's furthest chain counts; then the first to arrive there, then the latest entry. */
  #arrive(time: number, user: number, entry: number): void {
    const step = this.#step
    const { furthest } = this.#best.progress
    this.#offsets[this.#offsetAt(entry, step)] = time - (this.#entries.times[entry] as number)
    if (step < this.#steps.names.length) this.#arrivals.add(time, user, entry)
    const known = furthest[user] as number
    if (step < known || (step === known && this.#hasArrivedBefore(user, time))) return
    furthest[user] = step
    this.#last[user] = entry
  }

  /** Whether the user's chain arrived earlier than `time` at this step, which is the user's furthest one. */
  #hasArrivedBefore(user: number, time: number): boolean {
    const entry = this.#last[user] as number
    return entry === NONE ? this.#best.hasArrivedBefore(user, time) : this.#arrivalOf(entry, this.#step) < time
  }

  #offsetAt(entry: number, step: number): number {
    return entry * (this.#steps.names.length - 1) + step - 2
  }

  /** When the chain of an entry arrived at a step. */
  #arrivalOf(entry: number, step: number): number {
    const start = this.#entries.times[entry] as number
    return step === 1 ? start : start + (this.#offsets[this.#offsetAt(entry, step)] as number)
  }

  /** Lets an event serve one step: a second one of a name at an instant serves chains that used the first one. */
  #takeOnWithinInstant(time: number, user: number): void {
    const instant = this.#instant
    const isSame = instant.time === time && instant.user === user
    instant.events = isSame ? instant.events + 1 : 1
    instant.time = time
    instant.user = user
    const first = this.#firstWaiting
    this.#waiting[user] = first + this.#takeOn((this.#waiting[user] as number) - first)
  }

  /** Continues waiting chains, oldest first: they have used fewest events. Returns the one that still waits. */
  #takeOn(entry: number): number {
    if (entry < 0) return NONE
    const { time, user, events } = this.#instant
    if (this.#arrivalOf(entry, this.#step - 1) === time) {
      this.#older[entry] = this.#takeOn(this.#older[entry] as number)
      if (this.#usedAtInstant(entry) >= events) return entry
    }
    const { limits, allowed } = this.#limits()
    if (time - (limits[entry] as number) <= allowed) this.#arrive(time, user, entry)
    return NONE
  }

  /** The number of events of this step's name that an entry's chain has used at the current instant. */
  #usedAtInstant(entry: number): number {
    const { names } = this.#steps
    let used = 0
    for (let step = this.#step - 1; step > 0; step--) {
      if (this.#arrivalOf(entry, step) !== this.#instant.time) break
      if (names[step - 1] === names[this.#step - 1]) used++
    }
    return used
  }

  #recordProgress(): void {
    const { users, length } = this.#entries
    const last = this.#last
    for (let entry = 0; entry < length; entry++) {
      const user = users[entry] as number
      if (last[user] !== entry) continue
      last[user] = NONE
      this.#recordChain(user, entry)
    }
  }

  #recordChain(user: number, entry: number): void {
    const { progress } = this.#best
    const { gaps } = progress
    const furthest = progress.furthest[user] as number
    const row = progress.note(user, furthest, this.#groups.ordinalOf(entry))
    if (furthest === 1) return
    this.#best.note(row, this.#arrivalOf(entry, furthest))
    if (gaps.steps === 0) return
    const page = gaps.pageOf(row)
    const index = gaps.indexOf(row)
    const offset = this.#offsetAt(entry, 2)
    let before = 0
    for (let gap = 0; gap < furthest - 1; gap++) {
      const after = this.#offsets[offset + gap] as number
      page[index + gap] = after - before
      before = after
    }
  }
}
