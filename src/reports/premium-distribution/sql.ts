import { eq, sql } from 'drizzle-orm'
import type { Database } from '../../storage/database.ts'
import { applications } from '../../storage/schema.ts'

export function selectHandles(db: Database, accountId: string) {
  return db
    .select({ handle: applications.handle })
    .from(applications)
    .where(eq(applications.accountId, accountId))
    .orderBy(sql`lower(${applications.handle})`)
}
