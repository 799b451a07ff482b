import { and, eq, gte, lte, sql } from 'drizzle-orm'
import type { Database } from '../../storage/database.ts'
import { applications, dailyFigures, dirtyDays } from '../../storage/schema.ts'
import type { FiguresQuery } from './figures.ts'

export interface FiguresRow {
  readonly handle: string
  readonly name: string
  readonly link: string
  /** Since when an event of this application waits to be counted; null where none does. */
  readonly waitingSince: number | null
  readonly day: number | null
  readonly monthlyActiveUsers: number | null
  readonly premiumUsers: number | null
  readonly nonPremiumUsers: number | null
}

/** An application by its handle, and its figures in a span of days; one row without a day where it has none. */
export function selectFigures(db: Database, { handle, accountId, from, to }: FiguresQuery) {
  const inSpan = and(
    eq(dailyFigures.applicationId, applications.id),
    gte(dailyFigures.day, from),
    lte(dailyFigures.day, to),
  )
  const hasHandle = eq(sql`lower(${applications.handle})`, handle.toLowerCase())
  return db
    .select({
      handle: applications.handle,
      name: applications.name,
      link: applications.link,
      waitingSince: sql<number | null>`(
        select min(${dirtyDays.markedAt}) from ${dirtyDays} where ${dirtyDays.applicationId} = ${applications.id})`,
      day: dailyFigures.day,
      monthlyActiveUsers: dailyFigures.monthlyActiveUsers,
      premiumUsers: dailyFigures.premiumUsers,
      nonPremiumUsers: dailyFigures.nonPremiumUsers,
    })
    .from(applications)
    .leftJoin(dailyFigures, inSpan)
    .where(and(hasHandle, accountId === undefined ? undefined : eq(applications.accountId, accountId)))
}
