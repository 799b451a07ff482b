import { and, desc, eq, sql } from 'drizzle-orm'
import type { Database } from '../../storage/database.ts'
import { apiKeys, applications, auditEntries, members } from '../../storage/schema.ts'

interface Page {
  readonly limit: number
  readonly offset: number
}

/** Newest first, with the names that keys and members have now. */
export function selectAudit(db: Database, accountId: string, { limit, offset }: Page) {
  const { id, at, actor, actorId, action, target } = auditEntries
  const isKey = and(
    eq(actor, 'key'),
    eq(sql`substr(${apiKeys.hash}, 1, 16)`, actorId),
    eq(apiKeys.accountId, accountId),
  )
  const isMember = and(
    eq(actor, 'member'),
    eq(sql`cast(${members.telegramId} as text)`, actorId),
    eq(members.accountId, accountId),
  )
  const actorName = sql<string | null>`coalesce(${apiKeys.name}, ${members.name})`
  const handle = sql<string | null>`coalesce(${auditEntries.handle}, ${applications.handle})`
  return db
    .select({ at, actor, actorId, actorName, action, handle, target })
    .from(auditEntries)
    .leftJoin(applications, eq(applications.id, auditEntries.applicationId))
    .leftJoin(apiKeys, isKey)
    .leftJoin(members, isMember)
    .where(eq(auditEntries.accountId, accountId))
    .orderBy(desc(id))
    .limit(limit)
    .offset(offset)
}

export function countAudit(db: Database, accountId: string) {
  return db.$count(auditEntries, eq(auditEntries.accountId, accountId))
}
