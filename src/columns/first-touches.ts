import { type Calendar, spanOf } from '../base/time/calendar.ts'
import type { FirstTouches, Pairs, Segment, SegmentSlice, Span } from './columns.ts'
import type { FirstDays } from './first-days.ts'
import { enlarged } from './flat-arrays.ts'
import { ACQUIRING_MS, type Remembered, type RememberedUsers } from './remembered.ts'

interface TouchSource {
  readonly calendar: Calendar
  readonly userCount: number
  /** By context: 0 where it has no start parameter. */
  contextCodes(property: 'startParameter'): Uint32Array
  readonly remembered: RememberedUsers
  slicesOf(name: null, span: Span): Iterable<SegmentSlice>
}

interface TouchDays {
  readonly firstDays: FirstDays
  /** Days that have, or had, events. */
  known(): readonly number[]
  pairsOf(day: number): Pairs
}

/**
 * What each user's first event said, and what acquired them: from the stored events and what the database remembers of earlier ones.
 * It follows the first days of users, and is complete after an update.
 */
export class UpdatedTouches implements FirstTouches {
  readonly #source: TouchSource
  readonly #days: TouchDays
  #firsts = new Earliest(0)
  #starts = new Earliest(0)
  /** Days whose new users are to be looked at. */
  #touched = new Set<number>()
  /** That of the first days which these belong to. */
  #generation = -1
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

  /** Looks at the days that changed, one before each yield. */
  *update(): Generator<void> {
    for (;;) {
      yield* this.#firstDays.update()
      if (this.#generation !== this.#firstDays.generation) this.#begin()
      const [day] = this.#touched
      if (day === undefined) return
      this.#touched.delete(day)
      if (this.#lookAt(day)) yield
    }
  }

  #begin(): void {
    this.#firsts = new Earliest(0)
    this.#starts = new Earliest(0)
    this.#touched = new Set(this.#days.known())
    this.#generation = this.#firstDays.generation
    this.version += 1
  }

  /** Finds the first events of the users whose first stored event is on a day, all or nothing. Returns whether there are any. */
  #lookAt(day: number): boolean {
    if (this.#firstDays.firstsOn(day) === 0) return false
    const { userCount, calendar } = this.#source
    this.#firsts.makeRoom(userCount)
    this.#starts.makeRoom(userCount)
    this.version += 1
    const isOwn = this.#reset(day)
    const span = spanOf(calendar, { from: day, to: day })
    this.#firsts.findAmong(() => this.#source.slicesOf(null, span), { isOwn, startCodes: null, firsts: null })
    const acquiring = { from: span.from, to: span.to + ACQUIRING_MS }
    const starting = {
      isOwn: isOwn.map(Math.sign),
      startCodes: this.#source.contextCodes('startParameter'),
      firsts: this.#firsts.times,
    }
    this.#starts.findAmong(() => this.#source.slicesOf(null, acquiring), starting)
    this.#dropLate(day)
    return true
  }

  /** By user: 1 for those whose first stored event is on a day. They begin with what is remembered of them. */
  #reset(day: number): Uint8Array {
    const isOwn = new Uint8Array(this.#source.userCount)
    const rememberedOf = this.#source.remembered.reader()
    for (const user of this.#usersOf(day)) {
      isOwn[user] = 1
      const remembered = rememberedOf(user)
      this.#firsts.set(user, remembered?.time, remembered?.context)
      this.#starts.set(user, remembered?.startTime, remembered?.startContext)
    }
    return isOwn
  }

  /** What is remembered may have happened too late after a first event that arrived since. */
  #dropLate(day: number): void {
    for (const user of this.#usersOf(day)) {
      const latest = (this.#firsts.times[user] as number) + ACQUIRING_MS
      if ((this.#starts.times[user] as number) > latest) this.#starts.set(user)
    }
  }

  *#usersOf(day: number): Iterable<number> {
    const { users, length } = this.#days.pairsOf(day)
    for (let pair = 0; pair < length; pair++) {
      const user = users[pair] as number
      if ((pair === 0 || users[pair - 1] !== user) && this.#firstDays.firstOf(user) === day) yield user
    }
  }
}

interface Looking {
  /** By user: 1 for those who are looked at. */
  readonly isOwn: Uint8Array
  /** Only events with a start parameter, by context; null for all events. */
  readonly startCodes: Uint32Array | null
  /** By user the first event's time: later events count as long as they acquire; null for no limit. */
  readonly firsts: Float64Array | null
}

/** An event of each user: the earliest of some, of those of one instant the one with the smallest key. */
class Earliest {
  times: Float64Array
  /** Ordinals plus 1; 0 for none. */
  contexts: Uint32Array

  constructor(length: number) {
    this.times = new Float64Array(length).fill(NEVER)
    this.contexts = new Uint32Array(length)
  }

  makeRoom(length: number): void {
    const known = this.times.length
    if (length <= known) return
    const longer = Math.ceil(length * 1.25)
    this.times = enlarged(this.times, longer).fill(NEVER, known)
    this.contexts = enlarged(this.contexts, longer)
  }

  set(user: number, time = NEVER, context = 0): void {
    this.times[user] = time
    this.contexts[user] = context
  }

  findAmong(slicesOf: () => Iterable<SegmentSlice>, looking: Looking): void {
    const tied = new Set<number>()
    for (const { segment, from, to } of slicesOf()) this.#look(segment, from, to, { ...looking, tied })
    if (tied.size > 0) this.#decide(slicesOf(), looking, tied)
  }

  /** Notes users with several events of one instant whose contexts differ. What is remembered comes before stored events of its instant. */
  #look(
    { users, times, contexts }: Segment,
    from: number,
    to: number,
    { isOwn, startCodes, firsts, tied }: Looking & { readonly tied: Set<number> },
  ): void {
    const [earliest, found] = [this.times, this.contexts]
    for (let index = from; index < to; index++) {
      const user = users[index] as number
      if (isOwn[user] === 0) continue
      const context = contexts[index] as number
      if (startCodes !== null && startCodes[context] === 0) continue
      const time = times[index] as number
      const known = earliest[user] as number
      if (time > known || (firsts !== null && time > (firsts[user] as number) + ACQUIRING_MS)) continue
      if (time < known) {
        earliest[user] = time
        found[user] = context + 1
        isOwn[user] = STORED
      } else if (isOwn[user] === STORED && found[user] !== context + 1) tied.add(user)
    }
  }

  /** Keys are read only here: few users need them. */
  #decide(slices: Iterable<SegmentSlice>, { startCodes }: Looking, tied: ReadonlySet<number>): void {
    const keys = new Map<number, number>()
    for (const { segment, from, to } of slices) {
      const { users, times, contexts } = segment
      for (let index = from; index < to; index++) {
        const user = users[index] as number
        if (times[index] !== this.times[user] || !tied.has(user)) continue
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

/** Instead of 1: the user's earliest event is stored, not only remembered. */
const STORED = 2

const NEVER = Number.POSITIVE_INFINITY
