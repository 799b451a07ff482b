import type { Period } from '../../base/time/period.ts'
import type { Columns } from '../../columns/columns.ts'
import { total } from '../../columns/flat-arrays.ts'
import { sessionsOf } from '../../columns/selection/sessions.ts'
import { BOUNDS } from '../engine/report.ts'
import { count, list, record, type TotalOf, totalReport } from '../engine/totals.ts'
import { LENGTHS, lengthOf } from '../sessions/session-lengths.ts'
import { countLatest } from '../user-properties/latest-users.ts'

/** A question about the users active in a period, and their sessions that began in it. */
export type EnterpriseSummaryQuery = Period

/** Counts of the users who were active. */
const summary = record({
  /** Users who were premium on their last event. */
  premium: count,
  nonPremium: count,
  /** Users per class of mean session length (`LENGTHS`); those without a session in the period are left out. */
  byLength: list(count),
})

export type EnterpriseSummary = TotalOf<typeof summary>

export const enterpriseSummaryReport = totalReport('enterprise summary', summary, summarize)

function* summarize(
  columns: Columns,
  { from, to }: EnterpriseSummaryQuery,
  { slice } = BOUNDS,
): Generator<void, EnterpriseSummary> {
  const { usersOf, textOf } = yield* countLatest(columns, { property: 'isPremium', from, to })
  const premium = usersOf.reduce((sum, users, code) => (users > 0 && textOf(code) === 'true' ? sum + users : sum), 0)
  return { premium, nonPremium: total(usersOf) - premium, byLength: yield* countMeans(columns, { from, to }, slice) }
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
