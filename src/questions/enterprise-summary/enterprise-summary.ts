import type { Period } from '../../base/time/period.ts'
import type { Columns } from '../../columns/columns.ts'
import { sessionsOf } from '../../columns/selection/sessions.ts'
import { BOUNDS, type Report } from '../engine/report.ts'
import { LENGTHS, lengthOf } from '../sessions/session-lengths.ts'
import { countLatest } from '../user-properties/latest-users.ts'

/** The users who were active in a period, and their sessions that began in it. */
export type EnterpriseSummaryQuery = Period

/** Users who were active. */
export interface EnterpriseSummary {
  /** According to their last event. */
  readonly premium: number
  readonly nonPremium: number
  /** By the mean length of their sessions: of those who began none in the period there is no mean. */
  readonly byLength: readonly number[]
}

export const enterpriseSummaryReport: Report<EnterpriseSummaryQuery, EnterpriseSummary, EnterpriseSummary> = {
  name: 'enterprise summary',
  part: summarize,
  result: (parts) => parts.reduce(add),
}

function* summarize(
  columns: Columns,
  { from, to }: EnterpriseSummaryQuery,
  { slice } = BOUNDS,
): Generator<void, EnterpriseSummary> {
  const { usersOf, allUsers, textOf } = yield* countLatest(columns, { property: 'isPremium', from, to })
  const premium = usersOf.reduce((sum, users, code) => (users > 0 && textOf(code) === 'true' ? sum + users : sum), 0)
  return { premium, nonPremium: allUsers - premium, byLength: yield* countMeans(columns, { from, to }, slice) }
}

function* countMeans(columns: Columns, days: EnterpriseSummaryQuery, slice: number): Generator<void, number[]> {
  const milliseconds = new Float64Array(columns.userCount)
  const sessions = new Uint32Array(columns.userCount)
  for (const { length, users, durations } of sessionsOf(columns, { days, filters: [] }, slice)) {
    for (let index = 0; index < length; index++) {
      const user = users[index] as number
      milliseconds[user] = (milliseconds[user] as number) + (durations[index] as number)
      sessions[user] = (sessions[user] as number) + 1
    }
    yield
  }
  const counts = LENGTHS.map(() => 0)
  sessions.forEach((count, user) => {
    if (count === 0) return
    const length = lengthOf(milliseconds[user] as number, count)
    counts[length] = (counts[length] as number) + 1
  })
  return counts
}

/** Of different users. */
function add(a: EnterpriseSummary, b: EnterpriseSummary): EnterpriseSummary {
  return {
    premium: a.premium + b.premium,
    nonPremium: a.nonPremium + b.nonPremium,
    byLength: a.byLength.map((users, length) => users + (b.byLength[length] ?? 0)),
  }
}
