import { existsSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { confirm } from '../confirm.ts'
import { openDatabaseAt, type Target } from '../database.ts'
import { run } from '../deploy/run.ts'
import { findBinding } from '../deployment.ts'
import { CommandFailure } from '../failure.ts'
import { lockFolder } from '../local/lock.ts'
import { fileOf } from '../local-database.ts'
import { parseOptions } from '../parse-options.ts'
import { print } from '../printing.ts'
import { closeToOthers } from '../private-files.ts'
import {
  failureOf,
  leaveRestore,
  markRestoring,
  type Restoring,
  takeOverRestore,
  unmarkRestoring,
} from '../restoring.ts'
import { HERE, KEPT } from '../wrangler.ts'
import { writeInOrder } from './dump.ts'
import { replaceDatabase, stageDatabase, unstageDatabase } from './local.ts'
import { isOlder, readManifest, type SavedDatabase } from './manifest.ts'
import { startAnew } from './starting-anew.ts'
import { dropTables, rowsOf, tablesOf } from './tables.ts'

const HELP = `Replaces the databases with a backup.

  npm run restore -- FOLDER [--remote] [--dry-run] [--yes] [--json]
      FOLDER is a backup of a local service or, with --remote, of the deployed one. Stop the local service first; its old
      databases are put aside. The deployed service keeps accepting events and stores them afterwards.
  npm run restore -- --time-travel [--remote]
      Run this after you restored a database by other means, such as D1's Time Travel: does only what follows a restore.

  --dry-run  check the backup, say what would be replaced, and do nothing
  --yes      do not ask before replacing data; required without a terminal
  --json     print JSON
  --help, -h this text

Afterwards columns are rebuilt; questions about an application answer 503 until that is done. Events waiting in a queue are
stored then. Private keys open only with the KEY_SEALING_SECRET of the time of the backup. People erased since then are back:
erase them again.`

const OPTIONS = {
  remote: { type: 'boolean' },
  'time-travel': { type: 'boolean' },
  'dry-run': { type: 'boolean' },
  yes: { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

type Values = ReturnType<typeof parseOptions<{ options: typeof OPTIONS }>>['values']

const SECRET = 'Private keys open only with the KEY_SEALING_SECRET of the time of the backup.'

/** Throws `CommandFailure`. */
export async function restore(args: string[]): Promise<void> {
  const { values, positionals } = parseOptions({ args, options: OPTIONS, allowPositionals: true }, HELP)
  const [folder, ...extra] = positionals
  if (values.help) return console.log(HELP)
  if (extra.length > 0 || (folder === undefined) !== (values['time-travel'] === true)) {
    throw new CommandFailure(`Name one backup, or --time-travel.\n\n${HELP}`)
  }
  if (values.remote) return restoreFrom(folder ?? null, values, null)
  const release = keepServiceOut()
  try {
    await restoreFrom(folder ?? null, values, takeOverRestore())
  } finally {
    leaveRestore()
    release()
  }
}

/** Without a folder: the databases were taken back already. `unfinished` is a restore that this one completes or replaces. */
async function restoreFrom(folder: string | null, values: Values, unfinished: Restoring | null): Promise<void> {
  if (folder === null && unfinished?.backup) throw failureOf(unfinished)
  const target: Target = values.remote ? 'remote' : 'local'
  const manifest = folder === null ? null : await readManifest(resolve(folder), target)
  const databases = manifest?.databases ?? []
  const found = await holdings(databases, target)
  const restored = { backup: folder, of: manifest?.at ?? null, replaces: found, rows: totalOf(databases) }
  if (values['dry-run']) return print({ ...restored, note: 'Nothing was changed.' }, values.json === true)
  if (found) await confirm({ what: `What is there is replaced: ${found}.`, yes: values.yes === true })
  const aside = unfinished?.aside ?? join(KEPT, `before-restore-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`)
  const restoring = { backup: folder === null ? null : resolve(folder), aside }
  const objects = await (target === 'local' ? replaceLocally(databases, restoring) : replaceRemotely(databases, folder))
  const putAside = existsSync(aside) ? { putAside: aside } : {}
  print({ ...restored, ...putAside, objects, note: SECRET }, values.json === true)
}

function keepServiceOut(): () => void {
  closeToOthers()
  return lockFolder(KEPT)
}

/** What the databases hold that would be replaced, in words; null where they are empty. */
async function holdings(databases: readonly SavedDatabase[], target: Target): Promise<string | null> {
  const found: string[] = []
  for (const { binding } of databases) {
    if (target === 'local' && !existsSync(fileOf(findBinding(binding).id))) continue
    const db = openDatabaseAt(target, findBinding(binding).number)
    const tables = await tablesOf(db)
    const told = ['accounts', 'applications', 'users', 'events'].filter((table) => tables.includes(table))
    const rows = Object.entries(await rowsOf(db, told)).filter(([, count]) => count > 0)
    if (rows.length > 0) found.push(`${binding} with ${rows.map(([table, count]) => `${count} ${table}`).join(', ')}`)
  }
  return found.length > 0 ? found.join('; ') : null
}

function totalOf(databases: readonly SavedDatabase[]): number {
  return databases.flatMap(({ rows }) => Object.values(rows)).reduce((sum, rows) => sum + rows, 0)
}

/** Returns how many objects begin anew. From the first database that is replaced until the end a marker says so. */
async function replaceLocally(databases: readonly SavedDatabase[], restoring: Restoring): Promise<number> {
  stageAll(databases, restoring.backup ?? '')
  markRestoring(restoring)
  for (const database of databases) {
    replaceDatabase(database.binding, restoring.aside)
    if (isOlder(database)) await migrate(database.binding, 'local')
  }
  const objects = await startAnew('local')
  unmarkRestoring()
  return objects
}

/** All of them before anything is replaced: the disk may be full. */
function stageAll(databases: readonly SavedDatabase[], folder: string): void {
  try {
    for (const { binding, file } of databases) stageDatabase(binding, join(folder, file))
  } catch (error) {
    for (const { binding } of databases) unstageDatabase(binding)
    throw new CommandFailure(`The backup cannot be copied: ${(error as Error).message}. Nothing was replaced.`)
  }
}

async function replaceRemotely(databases: readonly SavedDatabase[], folder: string | null): Promise<number> {
  for (const database of databases) {
    await replaceOneRemotely(database, join(resolve(folder ?? ''), database.file))
    if (isOlder(database)) await migrate(database.binding, 'remote')
  }
  return startAnew('remote')
}

async function replaceOneRemotely({ binding, rows }: SavedDatabase, file: string): Promise<void> {
  const db = openDatabaseAt('remote', findBinding(binding).number)
  await dropTables(db, await tablesOf(db))
  const ordered = `${file}.in-order`
  try {
    await writeInOrder(file, ordered)
    await run(['d1', 'execute', binding, '--remote', '--file', ordered, '--yes'])
  } finally {
    rmSync(ordered, { force: true })
  }
  const stored = await rowsOf(db, await tablesOf(db))
  const wrong = Object.keys(stored).filter((table) => stored[table] !== (rows[table] ?? 0))
  if (wrong.length === 0) return
  const table = String(wrong[0])
  throw new CommandFailure(
    `${table} of ${binding} has ${stored[table]} rows now, the backup ${rows[table] ?? 0}. Run this again.`,
  )
}

/** A backup of an older release. */
async function migrate(binding: string, target: Target): Promise<void> {
  await run(['d1', 'migrations', 'apply', binding, ...(target === 'local' ? ['--local', ...HERE] : ['--remote'])])
}
