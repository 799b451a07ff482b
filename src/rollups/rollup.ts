import type { BatchDatabase } from '../storage/database.ts'
import { MONTH_DAYS, type Span, toDailyFigures } from './daily-figures.ts'
import { type DirtyDay, replaceFigures, selectDayCounts, selectDirtyDays, selectStreaks } from './sql.ts'

export interface Rolling {
  readonly db: BatchDatabase
  readonly applicationId: number
  /** The UTC day of now: figures end with the day after it. */
  readonly today: number
}

/**
 * Brings the newest dirty days of an application right, at most 30 in a row, with the 29 days after each. Gives whether
 * dirty days may be left. The marks go only together with the figures that replace the old ones.
 */
export async function rollUp({ db, applicationId, today }: Rolling): Promise<boolean> {
  const settled = newestRun(await selectDirtyDays(db, applicationId, MONTH_DAYS))
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

/** The newest dirty day and those within a month before it: they share most of what must be read. */
function newestRun(newestFirst: readonly DirtyDay[]): DirtyDay[] {
  const newest = newestFirst[0]?.day ?? 0
  return newestFirst.filter(({ day }) => newest - day < MONTH_DAYS)
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
