import type { Database } from '../storage/database.ts'
import type { Period } from '../time/period.ts'
import { MONTH_DAYS, type MonthlyFigures, toMonthlyFigures } from './daily-figures.ts'
import { selectLastFigures, selectStreaks } from './sql.ts'

/**
 * Counts the monthly active users of those days of a period that have no figures yet. Without cron nobody writes the figures
 * of days on which nothing happens, though such days have monthly active users.
 */
export async function countMissing(
  db: Database,
  applicationId: number,
  { from, to }: Period,
): Promise<MonthlyFigures[]> {
  const [last] = await selectLastFigures(db, applicationId)
  if (!last || last.day >= to) return []
  const missing = { from: Math.max(from, last.day + 1), to }
  const streaks = await selectStreaks(db, applicationId, { from: missing.from - (MONTH_DAYS - 1), to })
  return toMonthlyFigures(missing, streaks)
}
