import { sql } from 'drizzle-orm'
import type { SqliteRemoteDatabase } from 'drizzle-orm/sqlite-proxy'

/** The tables of a database but SQLite's and the platform's own, in the order in which they were made. */
export async function tablesOf(db: SqliteRemoteDatabase): Promise<string[]> {
  const rows = await db.all<[string]>(sql`select name from sqlite_schema where type = 'table'
    and substr(name, 1, 7) <> 'sqlite_' and substr(name, 1, 4) <> '_cf_' order by rowid`)
  return rows.map(([name]) => name)
}

/** How many rows each table has. */
export async function rowsOf(db: SqliteRemoteDatabase, tables: readonly string[]): Promise<Record<string, number>> {
  if (tables.length === 0) return {}
  const counts = tables.map((table) => sql`(select count(*) from ${sql.identifier(table)}) as ${sql.identifier(table)}`)
  const [row = []] = await db.all<number[]>(sql`select ${sql.join(counts, sql`, `)}`)
  return Object.fromEntries(tables.map((table, index) => [table, row[index] ?? 0]))
}

/** Deletes all tables, in one transaction. */
export async function dropTables(db: SqliteRemoteDatabase, tables: readonly string[]): Promise<void> {
  const drops = tables.toReversed().map((table) => db.run(sql`drop table ${sql.identifier(table)}`))
  await db.batch([db.run(sql`pragma defer_foreign_keys = on`), ...drops])
}
