import type { Columns } from '../../columns/columns.ts'
import type { Grouping } from '../../selection/grouping.ts'
import { dayOf, MS_PER_DAY } from '../../time/days.ts'
import { daysIn } from '../../time/period.ts'
import { AnyOrder } from './any-order.ts'
import { dayReader, type Users } from './day.ts'
import type { Asked, Found } from './found.ts'
import type { FunnelQuery } from './query.ts'
import { Records } from './records.ts'
import { StrictOrder } from './strict-order.ts'
import { Ways } from './ways.ts'

/** What is known of users while they are followed takes so much of memory at most. */
const ROOM_BYTES = 22_000_000

/** Follows the users through both periods at once, day by day: nobody's events need to be held. */
export function* findWaysByDay(asked: Asked, grouping: Grouping | null): Generator<void, Found> {
  const { columns, query } = asked
  const longest = query.windowMilliseconds
  const before = new Ways({ steps: 0, longest })
  const now = new Ways({ steps: query.steps.length - 1, longest })
  const readDay = dayReader(columns, query, grouping)
  const days = daysOf(columns, query)
  for (const users of rangesOf(asked)) {
    const follower = followerOf(query, users, { now, before })
    for (const day of query.order === 'any' ? days.toReversed() : days) {
      follower.take(readDay(day, users))
      if (grouping?.isOverfull) return { now, before }
      yield
    }
  }
  return { now, before }
}

function followerOf(query: FunnelQuery, users: Users, ways: Found): AnyOrder | StrictOrder {
  const count = users.to - users.from
  const followed = { query, users, now: new Records(ways.now, count), before: new Records(ways.before, count) }
  return query.order === 'any' ? new AnyOrder(followed) : new StrictOrder(followed)
}

/** The days of both periods and of the window after them, as far as there are events of the steps. */
function daysOf(columns: Columns, { steps, before, period, windowMilliseconds }: FunnelQuery): number[] {
  const names = new Set<string>(steps)
  const spans = Array.from(columns.names()).filter(({ name }) => names.has(name))
  if (spans.length === 0) return []
  const end = (period.to + 1) * MS_PER_DAY - 1 + windowMilliseconds
  const from = Math.max(before.from, dayOf(Math.min(...spans.map(({ first }) => first))))
  const to = dayOf(Math.min(end, Math.max(...spans.map(({ last }) => last))))
  return daysIn({ from, to })
}

/** Users of whom as much is known at once as there is room for. */
function* rangesOf({ columns: { userCount }, query, bounds }: Asked): Generator<Users> {
  const bytes = query.order === 'any' ? AnyOrder.bytesPerUser(query) : StrictOrder.bytesPerUser(query)
  const atOnce = bounds.entries ?? Math.floor(ROOM_BYTES / bytes)
  for (let from = 0; from < userCount; from += atOnce) yield { from, to: Math.min(userCount, from + atOnce) }
}
