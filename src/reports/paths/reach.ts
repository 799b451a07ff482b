import type { Columns, Timeline } from '../../columns/columns.ts'
import { lowerBound } from '../../columns/flat-arrays.ts'
import { SESSION_GAP_MS } from '../../selection/sessions.ts'
import { MS_PER_DAY } from '../../time/days.ts'
import type { Period } from '../../time/period.ts'

/**
 * The days of a period, and so many after it (before it, backwards) that each session that it cuts is whole at this end: until no
 * user of those sessions goes on.
 */
export function* daysOfWholeSessions(columns: Columns, period: Period, isBackwards: boolean): Generator<void, Period> {
  const step = isBackwards ? -1 : 1
  let day = isBackwards ? period.from : period.to
  let open = outermost(columns.timelineOf(day), day, isBackwards)
  for (;;) {
    open = goOn(open, { timeline: columns.timelineOf(day + step), day: day + step, isBackwards })
    if (open.size === 0) break
    day += step
    yield
  }
  return isBackwards ? { from: day, to: period.to } : { from: period.from, to: day }
}

/** Users, and the last times (backwards the first ones) at which they did something in their open session. */
type OpenSessions = ReadonlyMap<number, number>

/** The last event of each user, where the day after may go on with it. */
function outermost({ length, users, times }: Timeline, day: number, isBackwards: boolean): OpenSessions {
  const open = new Map<number, number>()
  for (let event = 0; event < length; event++) {
    const time = times[event] as number
    const isOutermost = users[isBackwards ? event - 1 : event + 1] !== users[event]
    const distance = isBackwards ? time : MS_PER_DAY - time
    if (isOutermost && distance <= SESSION_GAP_MS) open.set(users[event] as number, day * MS_PER_DAY + time)
  }
  return open
}

interface NextDay {
  readonly timeline: Timeline
  readonly day: number
  readonly isBackwards: boolean
}

/** Those who go on with their session on the next day. */
function goOn(open: OpenSessions, { timeline, day, isBackwards }: NextDay): OpenSessions {
  const { users, times } = timeline
  const step = isBackwards ? -1 : 1
  const further = new Map<number, number>()
  for (const [user, before] of open) {
    let last = before
    const first = isBackwards ? lowerBound(users, user + 1) - 1 : lowerBound(users, user)
    for (let event = first; users[event] === user; event += step) {
      const time = day * MS_PER_DAY + (times[event] as number)
      if (Math.abs(time - last) > SESSION_GAP_MS) break
      last = time
    }
    if (last !== before) further.set(user, last)
  }
  return further
}
