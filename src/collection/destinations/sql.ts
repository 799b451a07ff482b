import { sql } from 'drizzle-orm'
import type { Database } from '../../storage/database.ts'
import { each } from '../../storage/json-rows.ts'
import { applications, erasures, sealedErasureKey } from '../../storage/schema.ts'

/**
 * Those of these applications that exist: where their events go, the first kept day and the zone whose day it is, and, sealed, what keys the hashes of its erased users
 * if there are any.
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
