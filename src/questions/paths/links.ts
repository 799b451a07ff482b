import type { Calendar } from '../../base/time/calendar.ts'
import type { Columns, Timeline, UserRange } from '../../columns/columns.ts'
import { passesOn } from '../../columns/selection/day-rows.ts'
import { createSelection, yielding } from '../../columns/selection/selection.ts'
import { SESSION_GAP_MS } from '../../columns/selection/sessions.ts'
import type { PathsQuery } from './query.ts'

/** Transitions of users from one name to the next, or to the end of the session, on paths from a starting event. */
export interface Links {
  length: number
  /** Ordinals of the users. */
  readonly users: Uint32Array
  /** Indexes in the list of all names. A target may also be the number after the last: the end. */
  readonly froms: Uint32Array
  readonly tos: Uint32Array
  /** Bit k is set if the transition is step k + 1 of a path; it may be several. */
  readonly steps: Uint8Array
}

export function namesOf(columns: Columns): string[] {
  return Array.from(columns.names(), ({ name }) => name)
}

/**
 * Reads the transitions of some users, each user's in order of their events, or in reverse if paths lead backwards. The
 * next batch overwrites the last one. Memory grows with the users, not with their events.
 */
export function* linksOf(columns: Columns, query: PathsQuery, users: UserRange): Generator<Links> {
  const { calendar } = columns
  const names = namesOf(columns)
  const numbers = new Map(names.map((name, number) => [name, number]))
  const start = query.event === null ? ANY_START : numbers.get(query.event)
  if (start === undefined) return
  const isPassed = Uint8Array.from(names, (name, number) =>
    Number(query.excludesPageviews && number !== start && PAGEVIEW.test(name)),
  )
  const walks = new Walks({ calendar, users, start, end: names.length, isPassed, ...query })
  const selection = query.filters.length > 0 ? createSelection(columns, { filters: query.filters }) : null
  const isStart = (name: string) => query.event === null || name === query.event
  const isBackwards = query.direction === 'before'
  const step = isBackwards ? -1 : 1
  const firstDay = isBackwards ? query.to : query.from
  let day = firstDay
  // A session may have begun on the preceding day. A day that a time zone skips has no time, so it is passed over.
  if (start === ANY_START) {
    do day -= step
    while (calendar.startOf(day) === calendar.startOf(day + 1))
  }
  // Continues beyond the period until the paths that began in it are complete.
  for (; (firstDay - day) * step > 0 || isWithin(day, query) || walks.mayGoOnFrom(day - step); day += step) {
    const canBegin = isWithin(day, query)
    const passes =
      canBegin && selection ? yield* yielding(passesOn(columns, selection, day, isStart), linksFor(0)) : null
    for (const timeline of columns.timelinesOf(day, users)) {
      const numberOf = Uint32Array.from(timeline.names, (name) => numbers.get(name) as number)
      yield walks.follow(timeline, { midnight: calendar.startOf(day), canBegin, passes, numberOf })
    }
  }
  yield walks.end()
}

function isWithin(day: number, { from, to }: PathsQuery): boolean {
  return day >= from && day <= to
}

/** A start in place of the number of a name: the first event of a session, whatever its name. */
const ANY_START = -1

/** Names that clients give page views. */
const PAGEVIEW = /^Pageview( |$)/

interface WalksQuery extends PathsQuery {
  /** Per number of a name: 1 if paths skip it. */
  readonly isPassed: Uint8Array
  readonly calendar: Calendar
  readonly users: UserRange
  /** The number of the starting name, and the number that means the end of a session. */
  readonly start: number
  readonly end: number
}

interface Day {
  readonly midnight: number
  /** Whether paths may begin on the day. */
  readonly canBegin: boolean
  /** Per index: 1 if a starting event passes the filters; null without filters. */
  readonly passes: Uint8Array | null
  /** The number of a name, by its code on the day. */
  readonly numberOf: Uint32Array
}

/**
 * Follows users on their paths, day by day. Backwards, sessions are read from their end to their beginning; all else is
 * the same. Bit k of `depths` says that the current name is the k-th after some starting event.
 */
class Walks {
  readonly #query: WalksQuery
  readonly #isBackwards: boolean
  /** Per user: the time of the last event, the number of its name, and the `depths`. */
  readonly #lasts: Float64Array
  readonly #names: Uint32Array
  readonly #depths: Uint8Array
  #links: Links = linksFor(0)

  constructor(query: WalksQuery) {
    const count = query.users.to - query.users.from
    this.#query = query
    this.#isBackwards = query.direction === 'before'
    this.#lasts = new Float64Array(count).fill(Number.NaN)
    this.#names = new Uint32Array(count).fill(query.end)
    this.#depths = new Uint8Array(count)
  }

  /** Follows a day's events. At most one link leads on from an event, and one to the first event of a session. */
  follow({ length, users, times, codes, ...timeline }: Timeline, { midnight, canBegin, passes, numberOf }: Day): Links {
    const { start, end, steps, isPassed } = this.#query
    const first = this.#query.users.from
    const allSteps = (1 << steps) - 1
    const indexes = passes && timeline.indexes()
    const links = this.#emptied(start === ANY_START ? 2 * length : length)
    const step = this.#isBackwards ? -1 : 1
    let event = this.#isBackwards ? length - 1 : 0
    for (let left = length; left > 0; ) {
      const ordinal = users[event] as number
      const user = ordinal - first
      let last = this.#lasts[user] as number
      let name = this.#names[user] as number
      let depths = this.#depths[user] as number
      for (; left > 0 && users[event] === ordinal; left--, event += step) {
        const time = midnight + (times[event] as number)
        const number = numberOf[codes[event] as number] as number
        if (Math.abs(time - last) > SESSION_GAP_MS) {
          if (depths !== 0) add(links, ordinal, name, end, depths)
          depths = 0
          name = end
        }
        last = time
        if (isPassed[number] === 1) continue
        const isStart = canBegin && (!passes || !indexes || passes[indexes[event] as number] === 1)
        if (number !== name) {
          if (depths !== 0) add(links, ordinal, name, number, depths)
          depths = (depths << 1) & allSteps
          if (start === ANY_START && name === end && isStart) {
            add(links, ordinal, end, number, 1)
            depths = 2 & allSteps
          }
        }
        if (number === start && isStart) depths |= 1
        name = number
      }
      this.#lasts[user] = last
      this.#names[user] = name
      this.#depths[user] = depths
    }
    return links
  }

  /** Whether a session with an unfinished path may continue beyond a day. */
  mayGoOnFrom(day: number): boolean {
    const border = this.#query.calendar.startOf(this.#isBackwards ? day : day + 1)
    return this.#depths.some(
      (depths, user) => depths !== 0 && Math.abs(border - (this.#lasts[user] as number)) <= SESSION_GAP_MS,
    )
  }

  /** Ends the last session of every user. */
  end(): Links {
    const links = this.#emptied(this.#depths.length)
    for (let user = 0; user < this.#depths.length; user++) {
      const depths = this.#depths[user] as number
      if (depths !== 0) add(links, this.#query.users.from + user, this.#names[user] as number, this.#query.end, depths)
    }
    return links
  }

  #emptied(room: number): Links {
    if (this.#links.users.length < room) this.#links = linksFor(room)
    this.#links.length = 0
    return this.#links
  }
}

function linksFor(room: number): Links {
  const [users, froms, tos] = [new Uint32Array(room), new Uint32Array(room), new Uint32Array(room)]
  return { length: 0, users, froms, tos, steps: new Uint8Array(room) }
}

function add(links: Links, user: number, from: number, to: number, depths: number): void {
  const index = links.length++
  links.users[index] = user
  links.froms[index] = from
  links.tos[index] = to
  links.steps[index] = depths
}
