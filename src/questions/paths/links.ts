import { spanOf } from '../../base/time/period.ts'
import type { Columns, Span } from '../../columns/columns.ts'
import { SESSION_GAP_MS } from '../../columns/selection/sessions.ts'
import { type Histories, type HistoriesQuery, rangesOf, readHistories, type UserRange } from './histories.ts'
import type { PathsQuery } from './query.ts'
import { daysOfWholePaths } from './reach.ts'

/** Where users went on from one name to the next, or ended their session, on a way from a starting event: user by user. */
export interface Links {
  length: number
  /** Ordinals. */
  readonly users: Uint32Array
  /** Numbers of names: indexes in the list of all; the target may also be the number behind the last one, which is the end. */
  readonly froms: Uint32Array
  readonly tos: Uint32Array
  /** Bit k is set where this is step k + 1 of such a way; several may be. */
  readonly steps: Uint8Array
}

/** How many events to look at between two yields. */
const SLICE_EVENTS = 2 ** 16

/** The names of an application, and the ways of its users between them. */
export interface PathLinks {
  readonly names: readonly string[]
  /** Takes the links of all users, some users at a time. May be called again. */
  each(take: (links: Links) => Generator<void>): Generator<void>
}

export function* findLinks(columns: Columns, query: PathsQuery, maxEvents: number): Generator<void, PathLinks> {
  const names = Array.from(columns.names(), ({ name }) => name)
  const numbers = new Map(names.map((name, number) => [name, number]))
  const start = numbers.get(query.event)
  if (start === undefined) return { names, *each() {} }
  const isBackwards = query.direction === 'before'
  const days = yield* daysOfWholePaths(columns, query)
  const numberOf = (name: string) => numbers.get(name) as number
  const reading = { days, numberOf, filters: query.filters, filtered: query.event }
  const walk = { ...query, start, end: names.length, isBackwards, period: spanOf(query) }
  const ranges = yield* rangesOf(columns, days, maxEvents)
  let only: Links | null = null
  return {
    names,
    *each(take) {
      for (const range of ranges) {
        const links: Links = only ?? (yield* linksOf(columns, reading, { range, walk }))
        if (ranges.length === 1) only = links
        yield* take(links)
      }
    },
  }
}

interface Walk extends PathsQuery {
  /** The number of the starting name, and the one that stands for the end of a session. */
  readonly start: number
  readonly end: number
  readonly isBackwards: boolean
  /** In which starting events lie. */
  readonly period: Span
}

interface Walked {
  readonly range: UserRange
  readonly walk: Walk
}

function* linksOf(columns: Columns, reading: HistoriesQuery, { range, walk }: Walked): Generator<void, Links> {
  const histories = yield* readHistories(columns, reading, range)
  const length = histories.times.length
  // No more than one link leads on from an event.
  const [users, froms, tos] = [new Uint32Array(length), new Uint32Array(length), new Uint32Array(length)]
  const links = { length: 0, users, froms, tos, steps: new Uint8Array(length) }
  const userCount = range.to - range.from
  for (let user = 0; user < userCount; ) {
    const limit = (histories.starts[user] as number) + SLICE_EVENTS
    for (; user < userCount && (histories.starts[user] as number) < limit; user++) follow(histories, user, walk, links)
    yield
  }
  return links
}

/**
 * Walks through the events of a user, backwards where what came before is asked for: then a session is taken from its end to its
 * beginning, and all else is the same. Bit k of `ways` says that the name at hand is the k-th after some starting event.
 */
function follow({ users, starts, times, names, passes }: Histories, user: number, walk: Walk, links: Links): void {
  const { start, end, isBackwards, period } = walk
  const allSteps = (1 << walk.steps) - 1
  const [first, behind] = [starts[user] as number, starts[user + 1] as number]
  const ordinal = users.from + user
  const step = isBackwards ? -1 : 1
  let event = isBackwards ? behind - 1 : first
  let [last, name, ways] = [Number.NaN, end, 0]
  for (let left = behind - first; left > 0; left--, event += step) {
    const time = times[event] as number
    const code = names[event] as number
    if (Math.abs(time - last) > SESSION_GAP_MS) {
      if (ways !== 0) add(links, ordinal, name, end, ways)
      ways = 0
    } else if (code !== name) {
      if (ways !== 0) add(links, ordinal, name, code, ways)
      ways = (ways << 1) & allSteps
    }
    if (code === start && time >= period.from && time < period.to && (passes === null || passes[event] === 1)) ways |= 1
    name = code
    last = time
  }
  if (ways !== 0) add(links, ordinal, name, end, ways)
}

function add(links: Links, user: number, from: number, to: number, ways: number): void {
  const index = links.length++
  links.users[index] = user
  links.froms[index] = from
  links.tos[index] = to
  links.steps[index] = ways
}
