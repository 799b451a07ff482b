import { chmodSync, copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { findBinding } from '../deployment.ts'
import { CommandFailure } from '../failure.ts'
import { fileOf } from '../local-database.ts'
import { OWNER_ONLY_FILE } from '../private-files.ts'
import { requireNoRestore, syncToDisk } from '../restoring.ts'

/** A service that is storing events holds the file for moments at a time. */
const BUSY_TIMEOUT_MS = 10_000

/** Writes what a local database holds at one moment into a file, while the service goes on; returns its rows by table. */
export function copyDatabase(binding: string, file: string): Record<string, number> {
  const source = fileOf(findBinding(binding).id)
  requireNoRestore()
  if (!existsSync(source)) {
    throw new CommandFailure(
      `There is no database ${binding} yet. Start the service once, so that it is set up: npm start`,
    )
  }
  const db = new DatabaseSync(source, { timeout: BUSY_TIMEOUT_MS })
  db.prepare('vacuum into ?').run(file)
  db.close()
  chmodSync(file, OWNER_ONLY_FILE)
  return countTables(file)
}

/** The rows of each table of a database file. */
function countTables(file: string): Record<string, number> {
  const db = new DatabaseSync(file, { readOnly: true })
  const tables = db
    .prepare(
      "select name from sqlite_schema where type = 'table' and name not like 'sqlite\\_%' escape '\\' and substr(name, 1, 4) <> '_cf_'",
    )
    .all() as { name: string }[]
  const rows = tables.map(({ name }) => [
    name,
    Number(db.prepare(`select count(*) as rows from "${name}"`).get()?.rows),
  ])
  db.close()
  return Object.fromEntries(rows)
}

/** Copies a file of a backup to where its database lies, beside the one that it is to replace. */
export function stageDatabase(binding: string, file: string): void {
  const { target, staged } = pathsOf(binding)
  mkdirSync(dirname(target), { recursive: true })
  copyFileSync(file, staged)
  syncToDisk(staged)
}

export function unstageDatabase(binding: string): void {
  rmSync(pathsOf(binding).staged, { force: true })
}

/**
 * Puts the staged file in the place of a local database; what was there goes into the folder `aside`. No service may run. Where an
 * earlier try had put it there already, what that try left in its place is deleted.
 */
export function replaceDatabase(binding: string, aside: string): void {
  const { target, staged } = pathsOf(binding)
  const asideOf = (file: string) => join(aside, `${binding}-${basename(file)}`)
  const isReplaced = existsSync(target) && existsSync(asideOf(target))
  const files = [target, `${target}-wal`, `${target}-shm`]
  // Whatever ends this: where the database is gone, what lies beside it is still that of the database put aside.
  if (isReplaced) for (const file of files.toReversed()) rmSync(file, { force: true })
  for (const file of files.filter(existsSync)) {
    mkdirSync(aside, { recursive: true, mode: 0o700 })
    renameSync(file, asideOf(file))
  }
  renameSync(staged, target)
  syncToDisk(target)
}

function pathsOf(binding: string) {
  const target = fileOf(findBinding(binding).id)
  return { target, staged: `${target}.new` }
}
