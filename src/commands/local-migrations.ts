import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileOf } from './local-database.ts'
import { ROOT } from './wrangler.ts'

const MIGRATIONS = join(ROOT, 'migrations')
const BUSY_TIMEOUT_MS = 10_000

/** Where Wrangler notes which migrations a database has. */
const APPLIED = `create table if not exists d1_migrations(
  id integer primary key autoincrement,
  name text unique,
  applied_at timestamp default current_timestamp not null
)`

/**
 * Applies the migrations that a local database lacks, each in one transaction; creates the database if there is none. Wrangler
 * would do the same, but starts a runtime for each of them. Throws errors of SQLite.
 */
export function migrateLocally(id: string): void {
  const file = fileOf(id)
  mkdirSync(dirname(file), { recursive: true })
  using db = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS })
  db.exec(APPLIED)
  const applied = new Set(
    db
      .prepare('select name from d1_migrations')
      .all()
      .map(({ name }) => name),
  )
  const lacking = readdirSync(MIGRATIONS).filter((name) => name.endsWith('.sql') && !applied.has(name))
  for (const name of lacking.toSorted()) {
    db.exec(`begin immediate; pragma defer_foreign_keys = on; ${readFileSync(join(MIGRATIONS, name), 'utf8')}`)
    db.prepare('insert into d1_migrations (name) values (?)').run(name)
    db.exec('commit')
  }
}
