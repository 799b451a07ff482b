import { existsSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { FLAG, type OptionValues, readCommandLine } from '../command-line.ts'
import { openDatabaseAt, type Target } from '../database.ts'
import { findBinding } from '../deployment.ts'
import { CommandFailure } from '../failure.ts'
import { fileOf } from '../local-database.ts'
import { migrateLocally } from '../local-migrations.ts'
import { closeToOthers } from '../private-files.ts'
import {
  failureOf,
  leaveRestore,
  markRestoring,
  type Restoring,
  takeOverRestore,
  unmarkRestoring,
} from '../restoring.ts'
import { lockFolder } from '../running.ts'
import { confirm, counted, print } from '../terminal.ts'
import { KEPT, run } from '../wrangler.ts'
import { writeInOrder } from './dump.ts'
import { replaceDatabase, stageDatabase, unstageDatabase } from './local.ts'
import { isOlder, readManifest, type SavedDatabase } from './manifest.ts'
import { dropTables, rowsOf, startAnew } from './sql.ts'

const HELP = `Replaces the databases with a backup.

  npm run restore -- FOLDER [--remote] [--dry-run] [--yes] [--json]
      FOLDER is a backup of a local service or, with --remote, of the deployed one. Stop the local service first; its old
      databases are put aside. The deployed service keeps accepting events and stores them afterwards.
  npm run restore -- --time-travel [--remote]
      Run this after you restored a database by other means, such as D1's Time Travel: does only what follows a restore.

  --dry-run  check the backup, say what would be replaced, and do nothing; the service may run
  --yes      do not ask before replacing data; required without a terminal
  --json     print JSON
  --help, -h this text

Afterwards columns are rebuilt; questions about an application answer 503 until that is done. Events waiting in a queue are
stored then. Private keys open only with the KEY_SEALING_SECRET of the time of the backup. People erased since then are back:
erase them again.`

const OPTIONS = { remote: FLAG, 'time-travel': FLAG, 'dry-run': FLAG, yes: FLAG, json: FLAG }

type RestoreValues = OptionValues<typeof OPTIONS>

const SECRET = 'Private keys open only with the KEY_SEALING_SECRET of the time of the backup.'

export async function restore(args: string[]): Promise<void> {
  const read = readCommandLine(args, { options: OPTIONS, help: HELP, allowPositionals: true })
  if (!read) return
  const { values, positionals } = read
  const [folder = null, ...extra] = positionals
  if (extra.length > 0 || (folder === null) !== (values['time-travel'] === true)) {
    throw new CommandFailure(`Name one backup, or --time-travel. Show all options with --help.`)
  }
  const backup = folder === null ? null : resolve(folder)
  if (values.remote) return restoreFrom(backup, values, null)
  const release = values['dry-run'] ? () => undefined : lockState()
  try {
    await restoreFrom(backup, values, takeOverRestore())
  } finally {
    leaveRestore()
    release()
  }
}

function lockState(): () => void {
  closeToOthers()
  return lockFolder(KEPT, 'Stop it first (Ctrl-C), then restore. To check a backup meanwhile, use --dry-run.')
}

/** Without a backup, the databases were taken back already. `unfinished` is a restore that this one completes or replaces. */
async function restoreFrom(backup: string | null, values: RestoreValues, unfinished: Restoring | null): Promise<void> {
  if (backup === null && unfinished?.backup) throw failureOf(unfinished)
  const target: Target = values.remote ? 'remote' : 'local'
  const manifest = backup === null ? null : await readManifest(backup, target)
  const databases = manifest?.databases ?? []
  const found = await contentsOf(databases, target)
  const restored = { backup, of: manifest?.at ?? null, replaces: found, rows: totalOf(databases) }
  if (values['dry-run']) return print({ ...restored, note: 'Nothing was changed.' }, values.json === true)
  if (found) await confirm({ what: `This replaces ${found}.`, yes: values.yes === true })
  const aside = unfinished?.aside ?? join(KEPT, `before-restore-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`)
  const restoring = { backup, aside }
  const objects = await (target === 'local' ? replaceLocally(databases, restoring) : replaceRemotely(databases, backup))
  const putAside = existsSync(aside) ? { putAside: aside } : {}
  print({ ...restored, ...putAside, objects, note: SECRET }, values.json === true)
}

/** What would be replaced, in words; null if the databases are empty. */
async function contentsOf(databases: readonly SavedDatabase[], target: Target): Promise<string | null> {
  const found: string[] = []
  for (const { binding } of databases) {
    const { id, number } = findBinding(binding)
    if (target === 'local' && !existsSync(fileOf(id))) continue
    const all = await rowsOf(openDatabaseAt(target, number), ['accounts', 'applications', 'users', 'events'])
    const rows = Object.entries(all).filter(([, count]) => count > 0)
    if (rows.length > 0) found.push(`${binding} with ${rows.map(([table, count]) => counted(count, table)).join(', ')}`)
  }
  return found.length > 0 ? found.join('; ') : null
}

function totalOf(databases: readonly SavedDatabase[]): number {
  return databases.flatMap(({ rows }) => Object.values(rows)).reduce((sum, rows) => sum + rows, 0)
}

/** Returns how many objects start over. A marker is there from the first replaced database until the end. */
async function replaceLocally(databases: readonly SavedDatabase[], restoring: Restoring): Promise<number> {
  stageAll(databases, restoring.backup ?? '')
  markRestoring(restoring)
  for (const database of databases) {
    replaceDatabase(database.binding, restoring.aside)
    if (isOlder(database)) migrateLocally(findBinding(database.binding).id)
  }
  const objects = await startAnew('local')
  unmarkRestoring()
  return objects
}

/** Copies all files before any database is replaced: the disk may be full. */
function stageAll(databases: readonly SavedDatabase[], folder: string): void {
  try {
    for (const { binding, file } of databases) stageDatabase(binding, join(folder, file))
  } catch (error) {
    for (const { binding } of databases) unstageDatabase(binding)
    throw new CommandFailure(`The backup cannot be copied: ${(error as Error).message}. Nothing was replaced.`)
  }
}

async function replaceRemotely(databases: readonly SavedDatabase[], backup: string | null): Promise<number> {
  for (const database of databases) {
    await replaceOneRemotely(database, join(backup ?? '', database.file))
    if (isOlder(database)) await run(['d1', 'migrations', 'apply', database.binding, '--remote'])
  }
  return startAnew('remote')
}

async function replaceOneRemotely({ binding, rows }: SavedDatabase, file: string): Promise<void> {
  const db = openDatabaseAt('remote', findBinding(binding).number)
  await dropTables(db)
  const ordered = `${file}.in-order`
  try {
    await writeInOrder(file, ordered)
    await run(['d1', 'execute', binding, '--remote', '--file', ordered, '--yes'])
  } finally {
    rmSync(ordered, { force: true })
  }
  const stored = await rowsOf(db)
  const table = Object.keys(stored).find((table) => stored[table] !== (rows[table] ?? 0))
  if (table === undefined) return
  throw new CommandFailure(
    `${table} of ${binding} has ${stored[table]} rows now, the backup ${rows[table] ?? 0}. Run this again.`,
  )
}
