import { type SQL, sql } from 'drizzle-orm'
import type { Database } from './database.ts'
import { changes } from './schema.ts'

/**
 * Adds rows of `changes`. A row that is there already gets the longer span and a greater mark, so that an object that has read it
 * does not acknowledge what was added meanwhile.
 */
export function addChanges(db: Database, rows: SQL) {
  return db
    .insert(changes)
    .select(rows)
    .onConflictDoUpdate({
      target: [changes.applicationId, changes.objects, changes.part, changes.bucket, changes.nameId],
      set: {
        fromTime: sql`min(${changes.fromTime}, excluded.from_time)`,
        toTime: sql`max(${changes.toTime}, excluded.to_time)`,
        mark: sql`max(${changes.mark} + 1, excluded.mark)`,
      },
    })
}
