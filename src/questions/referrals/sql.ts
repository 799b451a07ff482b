import { and, eq, isNotNull, sql } from 'drizzle-orm'
import type { Database } from '../../storage/database.ts'
import { each } from '../../storage/json-rows.ts'
import { contexts, users } from '../../storage/schema.ts'

/** What is noted of the first events of these users that are no longer stored; other users have no row. */
export function selectGone(db: Database, applicationId: number, ids: readonly number[]) {
  const { telegramId, firstTime, firstContextId, startTime, startContextId } = users
  return db
    .select({ telegramId, firstTime, startTime, startParameter: contexts.startParameter })
    .from(users)
    .leftJoin(contexts, and(eq(contexts.applicationId, applicationId), eq(contexts.id, startContextId)))
    .where(
      and(
        eq(users.applicationId, applicationId),
        sql`${telegramId} in (select value from ${each(ids)})`,
        isNotNull(firstContextId),
      ),
    )
}
