import { isNull, sql } from 'drizzle-orm'
import { FORGETTING, markAllTime } from '../../object/sql.ts'
import { databaseOf } from '../../storage/activity.ts'
import { keysOf, type ObjectKey } from '../../storage/object-name.ts'
import { applications, layouts } from '../../storage/schema.ts'
import { openDatabaseAt, type Target } from '../database.ts'

const AT_ONCE = 1_000

/**
 * What has to follow where the databases are of another time than before: all objects forget their columns and read everything, and
 * ids of applications that were registered since are given to no others, whose objects they would be. Returns how many objects.
 */
export async function startAnew(target: Target): Promise<number> {
  const directory = openDatabaseAt(target)
  await directory.batch([
    directory.run(sql`insert into sqlite_sequence (name, seq) select 'applications', 0
      where not exists (select 1 from sqlite_sequence where name = 'applications')`),
    directory.run(sql`update sqlite_sequence set seq = max(seq, unixepoch()) where name = 'applications'`),
  ])
  const { id: applicationId, objects, databases } = applications
  const known = await directory.select({ applicationId, objects, databases }).from(applications)
  const { applicationId: ofApplication, objects: kept } = layouts
  const filled = await directory
    .select({ applicationId: ofApplication, objects: kept })
    .from(layouts)
    .where(isNull(layouts.retiredAt))
  const placements = new Map(known.map((application) => [application.applicationId, application.databases]))
  const keys = new Map([...known, ...filled].flatMap(keysOf).map((key) => [JSON.stringify(key), key]))
  const numberOf = (key: ObjectKey) => databaseOf(placements.get(key.applicationId) ?? [], key.part)
  const byDatabase = Map.groupBy(keys.values(), numberOf)
  for (const [number, own] of byDatabase) {
    const db = openDatabaseAt(target, number)
    for (let from = 0; from < own.length; from += AT_ONCE) {
      await markAllTime(db, own.slice(from, from + AT_ONCE), { from: FORGETTING, now: Date.now() })
    }
  }
  return keys.size
}
