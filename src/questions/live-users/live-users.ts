import type { Columns, Span } from '../../columns/columns.ts'
import type { Filter } from '../../columns/selection/filter.ts'
import { createSelection } from '../../columns/selection/selection.ts'
import { createPace } from '../engine/pace.ts'
import { count, totalReport } from '../engine/totals.ts'

/** The minutes before a question in which an event makes a user active now. */
export const LIVE_MINUTES = 5
export const LIVE_MS = LIVE_MINUTES * 60_000

/** A question for the number of users with an event in a span of time. */
interface LiveUsersQuery {
  readonly filters: readonly Filter[]
  readonly span: Span
}

export const liveUsersReport = totalReport('live users', count, countUsers)

function* countUsers(columns: Columns, { filters, span }: LiveUsersQuery): Generator<void, number> {
  const selection = createSelection(columns, { filters })
  const isSeen = new Uint8Array(columns.userCount)
  const pace = createPace()
  let seen = 0
  for (const slice of columns.slicesOf(null, span)) {
    yield* selection.prepare(slice.segment)
    const { indexes, from, to } = selection.pick(slice.segment, slice.from, slice.to)
    const { users } = slice.segment
    for (let index = from; index < to; index++) {
      const user = users[indexes ? (indexes[index] as number) : index] as number
      seen += 1 - (isSeen[user] as number)
      isSeen[user] = 1
    }
    if (pace.isDue(slice.to - slice.from)) yield
  }
  return seen
}
