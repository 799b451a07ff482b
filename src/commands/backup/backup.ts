import { chmodSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { run } from '../deploy/run.ts'
import { readDeployment } from '../deployment.ts'
import { CommandFailure } from '../failure.ts'
import { parseOptions } from '../parse-options.ts'
import { print } from '../printing.ts'
import { OWNER_ONLY_FILE } from '../private-files.ts'
import { KEPT } from '../wrangler.ts'
import { countRows } from './dump.ts'
import { copyDatabase } from './local.ts'
import { hashOf, type Manifest, type SavedDatabase, writeManifest } from './manifest.ts'

const HELP = `Makes a backup: a folder with a file for each database and a manifest that says what is in it.

  npm run backup -- [FOLDER] [--remote] [--json]

  FOLDER     of the backup; must not be there yet. By default .wrangler/backup-… with the time
  --remote   of the deployed service, by D1's own export; a database answers nobody while it is exported
  --json     answer as JSON, for machines
  --help, -h this

The local service may run. Private keys are in it sealed: they open only with the KEY_SEALING_SECRET of now, which is not in it.
Keep that elsewhere. Not in it either: events that wait in a queue, and columns, which are made from the databases.
It is put back by: npm run restore -- FOLDER`

const OPTIONS = {
  remote: { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

/** Throws `CommandFailure`. */
export async function backup(args: string[]): Promise<void> {
  const { values, positionals } = parseOptions({ args, options: OPTIONS, allowPositionals: true }, HELP)
  if (values.help) return console.log(HELP)
  const at = new Date().toISOString()
  const [given, extra] = positionals
  if (extra !== undefined) throw new CommandFailure(`One folder is enough: what is "${extra}"?\n\n${HELP}`)
  const folder = resolve(given ?? join(KEPT, `backup-${at.replaceAll(/[:.]/g, '-')}`))
  if (existsSync(folder)) throw new CommandFailure(`${folder} is there already. Name another folder.`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const save = values.remote ? exportDatabase : saveDatabase
  const databases: SavedDatabase[] = []
  try {
    for (const { binding } of readDeployment().databases) databases.push(await save(binding, folder))
  } catch (error) {
    rmSync(folder, { recursive: true })
    throw error
  }
  const manifest = writeManifest(folder, { at, place: values.remote ? 'remote' : 'local', databases })
  print(values.json ? { folder, ...manifest } : tell(folder, manifest), values.json === true)
}

async function saveDatabase(binding: string, folder: string): Promise<SavedDatabase> {
  const file = `${binding}.sqlite`
  const rows = copyDatabase(binding, join(folder, file))
  return { binding, file, sha256: await hashOf(join(folder, file)), rows }
}

async function exportDatabase(binding: string, folder: string): Promise<SavedDatabase> {
  const file = `${binding}.sql`
  const path = join(folder, file)
  await run(['d1', 'export', binding, '--remote', '--output', path, '--skip-confirmation'])
  chmodSync(path, OWNER_ONLY_FILE)
  return { binding, file, sha256: await hashOf(path), rows: await countRows(path) }
}

function tell(folder: string, { databases }: Manifest) {
  return {
    backup: folder,
    databases: databases.map(({ binding, rows }) => ({
      database: binding,
      applications: rows.applications ?? 0,
      users: rows.users ?? 0,
      events: rows.events ?? 0,
    })),
    note: 'Private keys in it open only with the KEY_SEALING_SECRET of now. Keep that elsewhere.',
  }
}
