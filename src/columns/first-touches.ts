import { type Calendar, spanOf } from '../base/time/calendar.ts'
import { daysIn, type Period } from '../base/time/period.ts'
import type { FirstTouches, Pairs, SegmentSlice, Span } from './columns.ts'
import type { FirstDays } from './first-days.ts'
import { enlarged } from './flat-arrays.ts'
import { ACQUIRING_MS, type Remembered, type RememberedUsers } from './remembered.ts'
import { newOwner } from './segment-cache.ts'

interface TouchSource {
  readonly calendar: Calendar
  readonly userCount: number
  /** The code of each context's start parameter: 0 for none. */
  contextCodes(property: 'startParameter'): Uint32Array
  readonly remembered: RememberedUsers
  slicesOf(name: null, span: Span): Iterable<SegmentSlice>
}

interface TouchDays {
  readonly firstDays: FirstDays
  /** Days that have, or had, events. */
  known(): readonly number[]
  pairsOf(day: number): Pairs
  /** The number of events of a day. */
  eventsOn(day: number): number
}

/**
 * What each user's first event said, and what acquired them: from the stored events and what the database remembers of earlier ones.
 * It follows the first days of users, and is complete after an update.
 */
export class UpdatedTouches implements FirstTouches {
  readonly #source: TouchSource
  readonly #days: TouchDays
  #firsts = new Earliest()
  #starts = new Earliest()
  /** Days whose new users are to be looked at. */
  #touched = new Set<number>()
  /** The generation of the first days which these belong to. */
  #generation = -1
  readonly key = newOwner()
  version = 0

  constructor(source: TouchSource, days: TouchDays) {
    this.#source = source
    this.#days = days
  }

  get #firstDays(): FirstDays {
    return this.#days.firstDays
  }

  get times(): Float64Array {
    return this.#firsts.times
  }

  get contexts(): Uint32Array {
    return this.#firsts.contexts
  }

  get acquired(): Uint32Array {
    return this.#starts.contexts
  }

  get acquiredTimes(): Float64Array {
    return this.#starts.times
  }

  goneReader(): (user: number) => Remembered | null {
    const rememberedOf = this.#source.remembered.reader()
    return (user) => ((this.#firsts.contexts[user] ?? 0) === 0 ? rememberedOf(user) : null)
  }

  /** What is to be remembered of the users whose first event happened before a time. */
  before(time: number): Map<number, Remembered> {
    const [firsts, starts] = [this.#firsts, this.#starts]
    const found = new Map<number, Remembered>()
    for (let user = 0; user < firsts.times.length; user++) {
      const first = firsts.times[user] as number
      if (first >= time) continue
      const [startTime, startContext] = [starts.times[user] as number, starts.contexts[user] as number]
      found.set(user, { time: first, context: firsts.contexts[user] as number, startTime, startContext })
    }
    return found
  }

  /** Notes that the events of a day changed. They may acquire users whose first event was the day before or, where days are short, earlier. */
  touch(day: number): void {
    for (const earlier of [day, day - 1, day - 2]) this.#touched.add(earlier)
  }

  /** Notes that what is remembered of users changed. */
  forget(): void {
    this.#generation = -1
  }

  /** Looks at the days that changed, some before each yield. */
  *update(): Generator<void> {
    for (;;) {
      yield* this.#firstDays.update()
      if (this.#generation !== this.#firstDays.generation) this.#startAnew()
      if (this.#touched.size === 0) return
      if (this.#lookAt(this.#takeTouched())) yield
    }
  }

  /** The earliest of the days that changed, and those after it as far as they have few events together. */
  #takeTouched(): Period {
    const from = this.#touched.values().reduce((least, day) => Math.min(least, day))
    this.#touched.delete(from)
    let [to, events] = [from, this.#days.eventsOn(from)]
    while (this.#touched.has(to + 1)) {
      events += this.#days.eventsOn(to + 1)
      if (events > EVENTS_AT_ONCE) break
      to += 1
      this.#touched.delete(to)
    }
    return { from, to }
  }

  #startAnew(): void {
    this.#firsts = new Earliest()
    this.#starts = new Earliest()
    this.#touched = new Set(this.#days.known())
    this.#generation = this.#firstDays.generation
    this.version += 1
  }

  /** Finds the first events of the users whose first stored event is on one of these days, all or nothing. Returns whether there are any. */
  #lookAt(days: Period): boolean {
    const users = daysIn(days).flatMap((day) => this.#usersOf(day))
    if (users.length === 0) return false
    this.version += 1
    this.#begin(users)
    const { calendar } = this.#source
    const { from, to } = spanOf(calendar, days)
    const slicesOf = () => this.#source.slicesOf(null, { from, to: to + ACQUIRING_MS })
    const startCodes = this.#source.contextCodes('startParameter')
    const isOwn = new Uint8Array(this.#source.userCount)
    for (const user of users) isOwn[user] = 1
    findEarliest(slicesOf(), { isOwn, startCodes, firsts: this.#firsts, starts: this.#starts })
    this.#firsts.decide(slicesOf, null)
    this.#starts.decide(slicesOf, startCodes)
    this.#dropLate(users)
    return true
  }

  /** The users whose first stored event is on a day. */
  #usersOf(day: number): number[] {
    const { users, length } = this.#days.pairsOf(day)
    const found: number[] = []
    for (let pair = 0; pair < length; pair++) {
      const user = users[pair] as number
      if ((pair === 0 || users[pair - 1] !== user) && this.#firstDays.firstOf(user) === day) found.push(user)
    }
    return found
  }

  /** Begins with what is remembered of these users. */
  #begin(users: readonly number[]): void {
    this.#firsts.begin(this.#source.userCount)
    this.#starts.begin(this.#source.userCount)
    const rememberedOf = this.#source.remembered.reader()
    for (const user of users) {
      const remembered = rememberedOf(user)
      this.#firsts.set(user, remembered?.time, remembered?.context)
      this.#starts.set(user, remembered?.startTime, remembered?.startContext)
    }
  }

  /** Events with a start parameter count up to some time after the first event. */
  #dropLate(users: readonly number[]): void {
    for (const user of users) {
      const latest = (this.#firsts.times[user] as number) + ACQUIRING_MS
      if ((this.#starts.times[user] as number) > latest) this.#starts.set(user)
    }
  }
}

/** The number of events that take some milliseconds. */
const EVENTS_AT_ONCE = 65_536

interface Found {
  /** Which users are looked at: 1 or 0 for each. */
  readonly isOwn: Uint8Array
  /** The code of each context's start parameter: 0 for none. */
  readonly startCodes: Uint32Array
  readonly firsts: Earliest
  readonly starts: Earliest
}

function findEarliest(slices: Iterable<SegmentSlice>, { isOwn, startCodes, firsts, starts }: Found): void {
  for (const { segment, from, to } of slices) {
    const { users, times, contexts } = segment
    for (let index = from; index < to; index++) {
      const user = users[index] as number
      if (isOwn[user] === 0) continue
      const [time, context] = [times[index] as number, contexts[index] as number]
      firsts.take(user, time, context)
      if (startCodes[context] !== 0) starts.take(user, time, context)
    }
  }
}

/** The earliest event of each user among some events; at one instant, the one with the smallest key. */
class Earliest {
  times = new Float64Array(0)
  /** Ordinals plus 1; 0 for none. */
  contexts = new Uint32Array(0)
  /** Whether each user's event is stored (1), or only remembered (0). */
  #isStored = new Uint8Array(0)
  /** Users with several events of that instant whose contexts differ. */
  #tied = new Set<number>()

  /** Begins a search for earliest events, with room for this many users. Users to look up are then set to what is remembered of them. */
  begin(userCount: number): void {
    this.#isStored = new Uint8Array(userCount)
    this.#tied = new Set()
    const known = this.times.length
    if (userCount <= known) return
    const longer = Math.ceil(userCount * 1.25)
    this.times = enlarged(this.times, longer).fill(NEVER, known)
    this.contexts = enlarged(this.contexts, longer)
  }

  set(user: number, time = NEVER, context = 0): void {
    this.times[user] = time
    this.contexts[user] = context
  }

  /** Takes a stored event. What is remembered comes before stored events of its instant. */
  take(user: number, time: number, context: number): void {
    const known = this.times[user] as number
    if (time > known) return
    if (time < known) {
      this.set(user, time, context + 1)
      this.#isStored[user] = 1
    } else if (this.#isStored[user] === 1 && this.contexts[user] !== context + 1) this.#tied.add(user)
  }

  /** Decides between events of one instant. Their keys are read only here: few users need them. `startCodes` is null if all events count. */
  decide(slicesOf: () => Iterable<SegmentSlice>, startCodes: Uint32Array | null): void {
    if (this.#tied.size === 0) return
    const keys = new Map<number, number>()
    for (const { segment, from, to } of slicesOf()) {
      const { users, times, contexts } = segment
      for (let index = from; index < to; index++) {
        const user = users[index] as number
        if (times[index] !== this.times[user] || !this.#tied.has(user)) continue
        const context = contexts[index] as number
        if (startCodes !== null && startCodes[context] === 0) continue
        const key = segment.keys()[index] as number
        if (key >= (keys.get(user) ?? Number.POSITIVE_INFINITY)) continue
        keys.set(user, key)
        this.contexts[user] = context + 1
      }
    }
  }
}

const NEVER = Number.POSITIVE_INFINITY
