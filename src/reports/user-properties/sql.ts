import { and, desc, eq, gte, lte, sql } from 'drizzle-orm'
import type { Database } from '../../storage/database.ts'
import { contexts, userDays } from '../../storage/schema.ts'
import type { AggregationParam } from './contract.ts'
import type { UserPropertiesQuery } from './query.ts'

const VALUES = {
  language: sql<string | null>`${contexts.language}`,
  is_premium: sql<string | null>`case ${contexts.isPremium} when 1 then 'true' when 0 then 'false' end`,
  os: sql<string | null>`${contexts.os}`,
  brand: sql<string | null>`${contexts.brand}`,
  country: sql<string | null>`${contexts.country}`,
  start_parameter: sql<string | null>`${contexts.startParameter}`,
} as const satisfies Record<AggregationParam, unknown>

export interface ValueRow {
  readonly value: string
  readonly users: number
  /** Of all values, also those beyond the limit. */
  readonly allValues: number
  readonly allUsers: number
}

/** The values with most users; SQLite takes the context of the row that has the greatest stamp. */
export function selectValues(db: Database, { applicationId, property, limit, from, to }: UserPropertiesQuery) {
  const latest = db
    .select({ contextId: userDays.lastContextId, stamp: sql`max(${userDays.lastStamp})`.as('stamp') })
    .from(userDays)
    .where(and(eq(userDays.applicationId, applicationId), gte(userDays.day, from), lte(userDays.day, to)))
    .groupBy(userDays.telegramId)
    .as('latest')
  const value = sql<string>`coalesce(${VALUES[property]}, '(none)')`
  return db
    .select({
      value: value.as('value'),
      users: sql<number>`count(*)`.as('users'),
      allValues: sql<number>`count(*) over ()`,
      allUsers: sql<number>`sum(count(*)) over ()`,
    })
    .from(latest)
    .innerJoin(contexts, eq(contexts.id, latest.contextId))
    .groupBy(sql`value`)
    .orderBy(desc(sql`users`), sql`value`)
    .limit(limit)
}

/** Distinct users active in a period. */
export function countUsers(
  db: Database,
  { applicationId, from, to }: Pick<UserPropertiesQuery, 'applicationId' | 'from' | 'to'>,
) {
  return db
    .select({ users: sql<number>`count(distinct ${userDays.telegramId})` })
    .from(userDays)
    .where(and(eq(userDays.applicationId, applicationId), gte(userDays.day, from), lte(userDays.day, to)))
}
