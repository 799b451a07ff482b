import { existsSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { lockFolder } from '../../local/lock.ts'
import { confirm } from '../confirm.ts'
import { openDatabaseAt, type Place } from '../database.ts'
import { run } from '../deploy/run.ts'
import { findBinding } from '../deployment.ts'
import { CommandFailure } from '../failure.ts'
import { fileOf } from '../local-database.ts'
import { parseOptions } from '../parse-options.ts'
import { print } from '../printing.ts'
import { closeToOthers } from '../private-files.ts'
import { HERE, KEPT } from '../wrangler.ts'
import { writeInOrder } from './dump.ts'
import { replaceDatabase } from './local.ts'
import { isOlder, readManifest, type SavedDatabase } from './manifest.ts'
import { startAnew } from './starting-anew.ts'
import { dropTables, rowsOf, tablesOf } from './tables.ts'

const HELP = `Puts a backup in the place of what the databases hold.

  npm run restore -- FOLDER [--remote] [--dry-run] [--yes] [--json]
      FOLDER is a backup that "npm run backup" made, of a local service or, with --remote, of the deployed one. Stop the local
      service first; what was there is put aside. The deployed one takes events meanwhile, and stores them afterwards.
  npm run restore -- --time-travel [--remote]
      After a database was taken back by other means, as by D1's Time Travel: only what follows a restore.

  --dry-run  check the backup, say what would be replaced, and do nothing
  --yes      do not ask before something is replaced; needed where no terminal can answer
  --json     answer as JSON, for machines
  --help, -h this

Afterwards columns are made anew from what was restored; questions about an application answer 503 until that is done. What
waits in a queue is stored then, too. Private keys open only with the KEY_SEALING_SECRET of the time of the backup.
Whoever was erased since then is there again: erase them once more.`

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
  const release = values.remote ? null : keepServiceOut()
  try {
    await restoreFrom(folder ?? null, values)
  } finally {
    release?.()
  }
}

/** Null: the databases were taken back already. */
async function restoreFrom(folder: string | null, values: Values): Promise<void> {
  const place: Place = values.remote ? 'remote' : 'local'
  const manifest = folder === null ? null : await readManifest(resolve(folder), place)
  const databases = manifest?.databases ?? []
  const found = await holdings(databases, place)
  const restored = { backup: folder, of: manifest?.at ?? null, replaces: found, rows: totalOf(databases) }
  if (values['dry-run']) return print({ ...restored, note: 'Nothing was changed.' }, values.json === true)
  if (found) await confirm({ what: `What is there is replaced: ${found}.`, yes: values.yes === true })
  const aside = join(KEPT, `before-restore-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`)
  for (const database of databases) {
    const path = join(resolve(folder ?? ''), database.file)
    if (place === 'local') replaceDatabase(database.binding, path, aside)
    else await replaceRemotely(database, path)
    if (isOlder(database)) await migrate(database.binding, place)
  }
  const objects = await startAnew(place)
  const putAside = existsSync(aside) ? { putAside: aside } : {}
  print({ ...restored, ...putAside, objects, note: SECRET }, values.json === true)
}

function keepServiceOut(): () => void {
  closeToOthers()
  return lockFolder(KEPT)
}

/** What the databases hold that would be replaced, in words; null where they are empty. */
async function holdings(databases: readonly SavedDatabase[], place: Place): Promise<string | null> {
  const found: string[] = []
  for (const { binding } of databases) {
    if (place === 'local' && !existsSync(fileOf(findBinding(binding).id))) continue
    const db = openDatabaseAt(place, findBinding(binding).number)
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

async function replaceRemotely({ binding, rows }: SavedDatabase, file: string): Promise<void> {
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
async function migrate(binding: string, place: Place): Promise<void> {
  await run(['d1', 'migrations', 'apply', binding, ...(place === 'local' ? ['--local', ...HERE] : ['--remote'])])
}
