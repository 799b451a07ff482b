import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { findDatabase } from './deployment.ts'
import { CommandFailure } from './failure.ts'
import { fileOf } from './local-database.ts'
import { requireNoRestore } from './restoring.ts'
import { STATE } from './wrangler.ts'

/**
 * Throws `CommandFailure` if a restore did not finish, or if a database is missing while the rest of its state is there: a new
 * one would be empty, and events that wait in the queue would find no application.
 */
export function requireWholeState(): void {
  requireNoRestore()
  if (!hasTable(1, 'applications')) {
    if (hasObjects()) throw lossOf(1)
    return
  }
  for (const number of databasesInUse()) if (!hasTable(number, 'events')) throw lossOf(number)
}

function lossOf(number: number): CommandFailure {
  const { binding, id } = findDatabase(number)
  return new CommandFailure(
    `The database ${binding} is missing or empty, but other data of this service is still there. Nothing was changed.\n` +
      `Restore a backup ("npm run restore -- FOLDER"), or put the file back: ${fileOf(id)}\n` +
      `To begin with nothing instead, move this folder away: ${STATE}`,
  )
}

/** Whether there are queues or columns: each object is a file, beside one that lists them. */
function hasObjects(): boolean {
  const folder = join(STATE, 'v3', 'do')
  if (!existsSync(folder)) return false
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return files.some((file) => /[0-9a-f]{64}\.sqlite$/.test(file))
}

function hasTable(number: number, table: string): boolean {
  const file = fileOf(findDatabase(number).id)
  if (!existsSync(file)) return false
  return rowsOf(file, `select 1 from sqlite_schema where name = '${table}'`)?.length !== 0
}

/** Numbers of the databases that applications are in. */
function databasesInUse(): number[] {
  const numbers = 'select distinct value as number from applications, json_each(databases)'
  const rows = rowsOf(fileOf(findDatabase(1).id), numbers) ?? []
  return rows.map(({ number }) => Number(number))
}

/** Null if the file cannot be read: damage is reported when the database is migrated. */
function rowsOf(file: string, sql: string): Record<string, unknown>[] | null {
  try {
    using db = new DatabaseSync(file, { readOnly: true })
    return db.prepare(sql).all()
  } catch {
    return null
  }
}
