import { isNull, sql } from 'drizzle-orm'
import type { SqliteRemoteDatabase } from 'drizzle-orm/sqlite-proxy'
import { markAllTime } from '../../lifecycle/partitionings/sql.ts'
import { FORGETTING } from '../../questions/rollups/changes.ts'
import { databaseOf } from '../../storage/activity.ts'
import { keysOf, type ObjectKey } from '../../storage/object-name.ts'
import { applications, layouts } from '../../storage/schema.ts'
import { openDatabaseAt, type Target } from '../database.ts'

/** All tables but SQLite's and the platform's, in the order of their creation. */
async function tablesOf(db: SqliteRemoteDatabase): Promise<string[]> {
  const rows = await db.all<[string]>(sql`select name from sqlite_schema where type = 'table'
    and substr(name, 1, 7) <> 'sqlite_' and substr(name, 1, 4) <> '_cf_' order by rowid`)
  return rows.map(([name]) => name)
}

/** How many rows each table has; with `only`, each of these that exists. */
export async function rowsOf(db: SqliteRemoteDatabase, only?: readonly string[]): Promise<Record<string, number>> {
  const tables = (await tablesOf(db)).filter((table) => only?.includes(table) ?? true)
  if (tables.length === 0) return {}
  const counts = tables.map((table) => sql`(select count(*) from ${sql.identifier(table)}) as ${sql.identifier(table)}`)
  const [row = []] = await db.all<number[]>(sql`select ${sql.join(counts, sql`, `)}`)
  return Object.fromEntries(tables.map((table, index) => [table, row[index] ?? 0]))
}

/** Deletes all tables in one transaction. */
export async function dropTables(db: SqliteRemoteDatabase): Promise<void> {
  const tables = await tablesOf(db)
  const drops = tables.toReversed().map((table) => db.run(sql`drop table ${sql.identifier(table)}`))
  await db.batch([db.run(sql`pragma defer_foreign_keys = on`), ...drops])
}

const AT_ONCE = 1_000

/**
 * Must follow when databases were taken back to another time: all objects drop their columns and read everything, and the ids of
 * applications that were registered since are not used again, because their objects still exist. Returns the number of objects.
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
