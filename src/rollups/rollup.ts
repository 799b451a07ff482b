import type { BatchDatabase } from '../storage/database.ts'
import { dayOf } from '../time/days.ts'
import type { Period } from '../time/period.ts'
import { MONTH_DAYS, toDailyFigures, toMonthlyFigures } from './daily-figures.ts'
import {
  type DirtyDay,
  type End,
  replaceFigures,
  selectDayCounts,
  selectDirtyDays,
  selectLastFigures,
  selectStreaks,
} from './sql.ts'

export interface Rolling {
  readonly db: BatchDatabase
  readonly applicationId: number
  /** Milliseconds since 1970 UTC. Figures end with the day after this one. */
  readonly now: number
}

/**
 * Updates an application's figures: days without any first, then the newest dirty days, then the oldest ones. So today stays
 * fresh during a backfill, and a backfill goes on however busy today is. Returns whether any day was dirty.
 */
export async function rollUp(rolling: Rolling): Promise<boolean> {
  await settle(await selectMissing(rolling), rolling)
  const newest = await selectMonth('newest', rolling)
  await settle(newest, rolling)
  const oldest = await selectMonth('oldest', rolling)
  if (!newest.some(({ day }) => day === oldest[0]?.day)) await settle(oldest, rolling)
  return newest.length > 0
}

/** The first day without figures, up to tomorrow, if the day before it had monthly active users. It bears no mark. */
async function selectMissing({ db, applicationId, now }: Rolling): Promise<DirtyDay[]> {
  const [last] = await selectLastFigures(db, applicationId)
  const isMissing = last && last.monthlyActiveUsers > 0 && last.day <= dayOf(now)
  return isMissing ? [{ day: last.day + 1, mark: 0 }] : []
}

/** The first dirty day from this end, and those within a month of it: they share most of what must be read. */
async function selectMonth(end: End, { db, applicationId }: Rolling): Promise<DirtyDay[]> {
  const days = await selectDirtyDays(db, applicationId, { end, limit: MONTH_DAYS })
  const first = days[0]?.day ?? 0
  return days.filter(({ day }) => Math.abs(day - first) < MONTH_DAYS)
}

/**
 * Computes these days anew, and the monthly active users of the 29 days after each. New figures are written and marks deleted
 * in one transaction.
 */
async function settle(dirty: readonly DirtyDay[], { db, applicationId, now }: Rolling): Promise<void> {
  if (dirty.length === 0) return
  const days = dirty.map(({ day }) => day)
  const period = affectedBy(days, dayOf(now))
  const [counts, streaks] = await db.batch([
    selectDayCounts(db, applicationId, days),
    selectStreaks(db, applicationId, { ...period, from: period.from - (MONTH_DAYS - 1) }),
  ])
  const replacement = {
    figures: toDailyFigures(days, counts, streaks),
    monthly: toMonthlyFigures(period, streaks).filter(({ day }) => !days.includes(day)),
    settled: dirty,
    asOf: now,
  }
  await db.batch(replaceFigures(db, applicationId, replacement))
}

/**
 * Tomorrow is included: its figures are what they will be if nothing more happens, so they are in place at midnight. An event
 * may lie 5 minutes ahead, so a dirty day may be tomorrow itself.
 */
function affectedBy(days: readonly number[], today: number): Period {
  const newest = Math.max(...days)
  const last = Math.min(newest + MONTH_DAYS - 1, today + 1)
  return { from: Math.min(...days), to: Math.max(newest, last) }
}
