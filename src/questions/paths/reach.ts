import { MS_PER_DAY } from '../../base/time/days.ts'
import { type Period, spanOf } from '../../base/time/period.ts'
import type { Columns, Timeline } from '../../columns/columns.ts'
import { lowerBound } from '../../columns/flat-arrays.ts'
import { SESSION_GAP_MS } from '../../columns/selection/sessions.ts'
import type { PathsQuery } from './query.ts'

/**
 * The days of a period, and so many after it (before it, backwards) that each path that begins in it is whole: until every
 * session that has the event in the period is over, or has gone on to as many other names as are followed.
 */
export function* daysOfWholePaths(columns: Columns, query: PathsQuery): Generator<void, Period> {
  const isBackwards = query.direction === 'before'
  const step = isBackwards ? -1 : 1
  let day = isBackwards ? query.from : query.to
  const starters = yield* findStarters(columns, query)
  let open = outermost({ timeline: columns.timelineOf(day), day, isBackwards }, starters)
  for (;;) {
    const next = { timeline: columns.timelineOf(day + step), day: day + step, isBackwards }
    const { hasEvents, further } = goOn(open, next, query.steps)
    if (hasEvents) day += step
    if (further.size === 0) break
    open = further
    yield
  }
  return isBackwards ? { from: day, to: query.to } : { from: query.from, to: day }
}

/** By user a 1 where they did the event in the period. */
function* findStarters(columns: Columns, { event, from, to }: PathsQuery): Generator<void, Uint8Array> {
  const starters = new Uint8Array(columns.userCount)
  for (const run of columns.slicesOf(event, spanOf({ from, to }))) {
    for (let index = run.from; index < run.to; index++) starters[run.segment.users[index] as number] = 1
    yield
  }
  return starters
}

interface Day {
  readonly timeline: Timeline
  readonly day: number
  readonly isBackwards: boolean
}

/** The last event (backwards the first one) of a session that may go on. */
interface Outermost {
  readonly time: number
  readonly name: string
  /** How often one name followed another since the period. */
  readonly changes: number
}

type OpenSessions = ReadonlyMap<number, Outermost>

/** Those of users who did the event, where the day after may go on with them. */
function outermost({ timeline, day, isBackwards }: Day, starters: Uint8Array): OpenSessions {
  const { length, users, times } = timeline
  const open = new Map<number, Outermost>()
  for (let event = 0; event < length; event++) {
    const user = users[event] as number
    const time = times[event] as number
    if (starters[user] === 0 || users[isBackwards ? event - 1 : event + 1] === user) continue
    const distance = isBackwards ? time : MS_PER_DAY - time
    if (distance > SESSION_GAP_MS) continue
    open.set(user, { time: day * MS_PER_DAY + time, name: nameAt(timeline, event), changes: 0 })
  }
  return open
}

function nameAt({ names, codes }: Timeline, event: number): string {
  return names[codes[event] as number] as string
}

/** Whether any session goes on on the next day, and those that may go on after it. */
function goOn(open: OpenSessions, next: Day, steps: number): { hasEvents: boolean; further: OpenSessions } {
  const { users } = next.timeline
  const further = new Map<number, Outermost>()
  let hasEvents = false
  for (const [user, before] of open) {
    const first = next.isBackwards ? lowerBound(users, user + 1) - 1 : lowerBound(users, user)
    if (users[first] !== user) continue
    const last = follow(before, first, next)
    if (!last) continue
    hasEvents = true
    if (last.changes < steps) further.set(user, last)
  }
  return { hasEvents, further }
}

/** From an event of a user on to the end of the session, or of the day; null where it is of another session. */
function follow(before: Outermost, first: number, { timeline, day, isBackwards }: Day): Outermost | null {
  const { users, times } = timeline
  const user = users[first]
  const step = isBackwards ? -1 : 1
  let { time: last, name, changes } = before
  let event = first
  for (; users[event] === user; event += step) {
    const time = day * MS_PER_DAY + (times[event] as number)
    if (Math.abs(time - last) > SESSION_GAP_MS) break
    const other = nameAt(timeline, event)
    changes += Number(other !== name)
    name = other
    last = time
  }
  return event === first ? null : { time: last, name, changes }
}
