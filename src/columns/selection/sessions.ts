import type { Calendar } from '../../base/time/calendar.ts'
import type { Period } from '../../base/time/period.ts'
import type { Columns, Timeline } from '../columns.ts'
import { lowerBound, numbersBetween } from '../flat-arrays.ts'
import { passesOn } from './day-rows.ts'
import type { Filter } from './filter.ts'
import { createSelection, yielding } from './selection.ts'

/** The minutes without an event of its user after which a session is over. */
export const SESSION_GAP_MINUTES = 30
/** An event later than this after the user's last one begins a new session; at exactly this gap it belongs to the same one. */
export const SESSION_GAP_MS = SESSION_GAP_MINUTES * 60_000

/** Sessions that have ended. The next ones overwrite the arrays. */
export interface EndedSessions {
  readonly length: number
  readonly users: Uint32Array
  /** When each session began: milliseconds since 1970 UTC. */
  readonly starts: Float64Array
  /** From the first event to the last, in milliseconds. */
  readonly durations: Float64Array
}

const NONE_ENDED: EndedSessions = {
  length: 0,
  users: new Uint32Array(),
  starts: new Float64Array(),
  durations: new Float64Array(),
}

export interface SessionParams {
  /** The days on which sessions begin. */
  readonly days: Period
  /** The filters on their first events. */
  readonly filters: readonly Filter[]
}

/** The most events, or users, between two yields: no more sessions can end with them. */
export const SLICE = 2 ** 16

/**
 * The sessions that begin on these days, followed to their ends, however late; those of one user in order of time. Memory grows
 * with the users, not with their events.
 */
export function* sessionsOf(
  columns: Columns,
  { days, filters }: SessionParams,
  slice = SLICE,
): Generator<EndedSessions> {
  const open = new OpenSessions(columns, slice)
  const selection = filters.length > 0 ? createSelection(columns, { filters }) : null
  // Sessions that go on past the first midnight began before: the day before shows which. It is earlier after a date without moments.
  const { dayOf, startOf } = columns.calendar
  for (let day = dayOf(startOf(days.from) - 1); day <= days.to; day++) {
    const passes = selection && day >= days.from ? yield* yielding(passesOn(columns, selection, day), NONE_ENDED) : null
    for (const timeline of columns.timelinesOf(day)) {
      for (let from = 0; from < timeline.length; from += slice) {
        const to = Math.min(from + slice, timeline.length)
        yield open.follow(timeline, { day, isCounted: day >= days.from, passes, from, to })
      }
    }
  }
  let goingOn: number[] = []
  for (let from = 0; from < columns.userCount; from += slice) {
    const users = numbersBetween(from, Math.min(from + slice, columns.userCount))
    yield open.endMost(users, days.to, goingOn)
  }
  for (let day = days.to + 1; goingOn.length > 0; day++) {
    const before = goingOn
    goingOn = []
    for (let from = 0; from < before.length; from += slice) {
      const users = before.slice(from, from + slice)
      const range = { from: users[0] as number, to: (users.at(-1) as number) + 1 }
      for (const timeline of columns.timelinesOf(day, range)) open.goOn(users, timeline, day)
      yield open.endMost(users, day, goingOn)
    }
  }
}

interface TimelineSlice {
  readonly day: number
  /** Whether sessions that begin on the day are asked for. */
  readonly isCounted: boolean
  /** Whether each event of the day, by its index, passes the filters; null without filters. */
  readonly passes: Uint8Array | null
  /** Events, the second exclusive. */
  readonly from: number
  readonly to: number
}

const NEVER = Number.NEGATIVE_INFINITY

/** Each user's session that may still go on. */
class OpenSessions {
  readonly #calendar: Calendar
  /** The time of each user's last event, and when its session began: `NEVER` if that session is not asked for. */
  readonly #lasts: Float64Array
  readonly #starts: Float64Array
  readonly #ended: Writable<EndedSessions>

  /** `room` is the most sessions that end in one slice. */
  constructor({ calendar, userCount }: Columns, room: number) {
    this.#calendar = calendar
    this.#lasts = new Float64Array(userCount).fill(NEVER)
    this.#starts = new Float64Array(userCount).fill(NEVER)
    const [users, starts, durations] = [new Uint32Array(room), new Float64Array(room), new Float64Array(room)]
    this.#ended = { length: 0, users, starts, durations }
  }

  /** Processes events. Returns the sessions that these show to have ended. */
  follow({ users, times, ...timeline }: Timeline, { day, isCounted, passes, from, to }: TimelineSlice): EndedSessions {
    const indexes = passes && timeline.indexes()
    const [lasts, starts] = [this.#lasts, this.#starts]
    const midnight = this.#calendar.startOf(day)
    this.#ended.length = 0
    for (let event = from; event < to; ) {
      const user = users[event] as number
      let last = lasts[user] as number
      let start = starts[user] as number
      for (; event < to && users[event] === user; event++) {
        const time = midnight + (times[event] as number)
        if (time - last > SESSION_GAP_MS) {
          if (start !== NEVER) this.#add(user, start, last)
          const isAsked = isCounted && (!passes || !indexes || passes[indexes[event] as number] === 1)
          start = isAsked ? time : NEVER
        }
        last = time
      }
      lasts[user] = last
      starts[user] = start
    }
    return this.#ended
  }

  /** After all events of a day: returns the sessions that have ended, and adds the users of those that may go on. */
  endMost(users: ArrayLike<number>, day: number, goingOn: number[]): EndedSessions {
    const [lasts, starts] = [this.#lasts, this.#starts]
    // A session may go on if its last event is within half an hour of midnight.
    const goesOnFrom = this.#calendar.startOf(day + 1) - SESSION_GAP_MS
    this.#ended.length = 0
    for (let index = 0; index < users.length; index++) {
      const user = users[index] as number
      const [start, last] = [starts[user] as number, lasts[user] as number]
      if (start === NEVER) continue
      if (last >= goesOnFrom) goingOn.push(user)
      else this.#add(user, start, last)
    }
    return this.#ended
  }

  /** Processes a further day of only those users whose sessions may go on. */
  goOn(users: readonly number[], timeline: Timeline, day: number): void {
    const midnight = this.#calendar.startOf(day)
    for (const user of users) {
      let last = this.#lasts[user] as number
      for (let event = lowerBound(timeline.users, user); timeline.users[event] === user; event++) {
        const time = midnight + (timeline.times[event] as number)
        if (time - last > SESSION_GAP_MS) break
        last = time
      }
      this.#lasts[user] = last
    }
  }

  #add(user: number, start: number, last: number): void {
    const index = this.#ended.length++
    this.#ended.users[index] = user
    this.#ended.starts[index] = start
    this.#ended.durations[index] = last - start
  }
}

type Writable<T> = { -readonly [K in keyof T]: T[K] }
