import type { BatchDatabase } from '../storage/database.ts'
import { MONTH_DAYS, type Span, toDailyFigures } from './daily-figures.ts'
import { type DirtyDay, type End, replaceFigures, selectDayCounts, selectDirtyDays, selectStreaks } from './sql.ts'

export interface Rolling {
  readonly db: BatchDatabase
  readonly applicationId: number
  /** The UTC day of now: figures end with the day after it. */
  readonly today: number
}

/**
 * Brings the newest dirty days of an application right and then the oldest ones, so that today stays fresh during a backfill
 * and a backfill goes on however busy today is. Gives whether there was anything to do.
 */
export async function rollUp(rolling: Rolling): Promise<boolean> {
  const isDirty = await settle('newest', rolling)
  if (isDirty) await settle('oldest', rolling)
  return isDirty
}

/**
 * Brings right the dirty days at one end, at most a month of them, with the 29 days after each. The marks go only together
 * with the figures that replace the old ones.
 */
async function settle(end: End, { db, applicationId, today }: Rolling): Promise<boolean> {
  const settled = oneMonth(await selectDirtyDays(db, applicationId, { end, limit: MONTH_DAYS }))
  if (settled.length === 0) return false
  const span = affectedBy(settled, today)
  const [counts, streaks] = await db.batch([
    selectDayCounts(db, applicationId, span),
    selectStreaks(db, applicationId, { from: span.from - (MONTH_DAYS - 1), to: span.to }),
  ])
  const figures = toDailyFigures(span, counts, streaks)
  await db.batch(replaceFigures(db, applicationId, { figures, settled }))
  return true
}

/** The first dirty day and those within a month of it: they share most of what must be read. */
function oneMonth(days: readonly DirtyDay[]): DirtyDay[] {
  const first = days[0]?.day ?? 0
  return days.filter(({ day }) => Math.abs(day - first) < MONTH_DAYS)
}

/**
 * Up to tomorrow, whose figures so far say what they will be if nothing more happens: midnight then finds them in place.
 * An event can lie 5 minutes ahead, so a dirty day can be tomorrow itself.
 */
function affectedBy(settled: readonly DirtyDay[], today: number): Span {
  const days = settled.map(({ day }) => day)
  const newest = Math.max(...days)
  return { from: Math.min(...days), to: Math.max(newest, Math.min(newest + MONTH_DAYS - 1, today + 1)) }
}
