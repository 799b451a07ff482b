import { chmodSync, copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { sql } from 'drizzle-orm'
import { openFile } from '../database.ts'
import { findBinding } from '../deployment.ts'
import { CommandFailure } from '../failure.ts'
import { fileOf } from '../local-database.ts'
import { OWNER_ONLY_FILE } from '../private-files.ts'
import { requireNoRestore, syncToDisk } from '../restoring.ts'
import { rowsOf } from './sql.ts'

/** Copies a local database, as it is at one moment, while the service runs; returns the rows of each table. */
export async function copyDatabase(binding: string, file: string): Promise<Record<string, number>> {
  const source = fileOf(findBinding(binding).id)
  requireNoRestore()
  if (!existsSync(source)) {
    throw new CommandFailure(
      `There is no database ${binding} yet. Start the service once, so that it is set up: npm start`,
    )
  }
  await openFile(source).run(sql`vacuum into ${file}`)
  chmodSync(file, OWNER_ONLY_FILE)
  return rowsOf(openFile(file))
}

/** Copies a file of a backup beside the database that it is to replace. */
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
 * Replaces a local database with the staged file and moves the old one into the folder `aside`. No service may run. If an earlier
 * try has moved it already, whatever that try left behind is deleted.
 */
export function replaceDatabase(binding: string, aside: string): void {
  const { target, staged } = pathsOf(binding)
  const asideOf = (file: string) => join(aside, `${binding}-${basename(file)}`)
  const isReplaced = existsSync(target) && existsSync(asideOf(target))
  const files = [target, `${target}-wal`, `${target}-shm`]
  // In this order: if this is killed, a -wal without its database still belongs to the one that was moved.
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
