import { and, eq, gte, lte, sql } from 'drizzle-orm'
import type { Database } from '../../storage/database.ts'
import { dailyFigures, dirtyDays } from '../../storage/schema.ts'
import type { FiguresQuery } from './query.ts'

/** The figures of the days of a span that have any. */
export function selectFigures(db: Database, { applicationId, from, to }: FiguresQuery) {
  const { day, monthlyActiveUsers, premiumUsers, nonPremiumUsers } = dailyFigures
  return db
    .select({ day, monthlyActiveUsers, premiumUsers, nonPremiumUsers })
    .from(dailyFigures)
    .where(and(eq(dailyFigures.applicationId, applicationId), gte(day, from), lte(day, to)))
}

/** Since when an event waits to be counted, of this application or of any. */
export function selectWaitingSince(db: Database, applicationId?: number) {
  return db
    .select({ waitingSince: sql<number | null>`min(${dirtyDays.markedAt})` })
    .from(dirtyDays)
    .where(applicationId === undefined ? undefined : eq(dirtyDays.applicationId, applicationId))
}
