import { sql } from 'drizzle-orm'
import type { Database } from '../../storage/database.ts'
import { each } from '../../storage/json-rows.ts'
import { applications, erasures, sealedErasureKey } from '../../storage/schema.ts'

/**
 * Selects where events of these applications go, the first kept day and its time zone, and the sealed key of the hashes of erased users, if
 * there are any. Applications that do not exist are missing.
 */
export function selectDestinations(db: Database, applicationIds: readonly number[]) {
  const { id, databases, keptFrom, timeZone } = applications
  const erased = sql`select 1 from ${erasures} where ${erasures.applicationId} = ${id}`
  return db
    .select({
      id,
      databases,
      keptFrom,
      timeZone,
      sealedKey: sql<string | null>`iif(exists (${erased}), ${sealedErasureKey}, null)`,
    })
    .from(applications)
    .where(sql`${id} in (select value from ${each(applicationIds)})`)
}
