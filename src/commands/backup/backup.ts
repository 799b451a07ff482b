import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { FLAG, readCommandLine } from '../command-line.ts'
import type { Target } from '../database.ts'
import { readDeployment } from '../deployment.ts'
import { CommandFailure } from '../failure.ts'
import { OWNER_ONLY_FILE } from '../private-files.ts'
import { print } from '../terminal.ts'
import { KEPT, run } from '../wrangler.ts'
import { countRows } from './dump.ts'
import { copyDatabase } from './local.ts'
import { hashOf, type Manifest, type SavedDatabase, writeManifest } from './manifest.ts'

const HELP = `Makes a backup: a folder with a file for each database and a manifest that says what is in it.

  npm run backup -- [FOLDER] [--remote] [--json]

  FOLDER     of the backup; must not exist. Default: .wrangler/backup-… with the time
  --remote   back up the deployed service with D1's export; each database is unavailable during its export
  --json     print JSON
  --help, -h this text

The local service may run. Private keys in the backup open only with the current KEY_SEALING_SECRET, which is not included: store
it elsewhere. Events waiting in a queue and columns, which are rebuilt from the databases, are not included either.
Restore a backup with: npm run restore -- FOLDER`

const OPTIONS = { remote: FLAG, json: FLAG }

export async function backup(args: string[]): Promise<void> {
  const read = readCommandLine(args, { options: OPTIONS, help: HELP, allowPositionals: true })
  if (!read) return
  const { values, positionals } = read
  const at = new Date().toISOString()
  const [given, extra] = positionals
  if (extra !== undefined)
    throw new CommandFailure(`Give one folder, not also "${extra}". Show all options with --help.`)
  const folder = resolve(given ?? join(KEPT, `backup-${at.replaceAll(/[:.]/g, '-')}`))
  if (existsSync(folder)) throw new CommandFailure(`${folder} exists already. Name another folder.`)
  const target = values.remote ? 'remote' : 'local'
  const manifest = await writeWhole(folder, (unfinished) => saveAll(unfinished, at, target))
  print(values.json ? { folder, ...manifest } : summarize(folder, manifest), values.json === true)
}

/** The folder gets its name when it is complete, so a killed backup is in nobody's way. */
async function writeWhole(folder: string, save: (unfinished: string) => Promise<Manifest>): Promise<Manifest> {
  removeUnfinished(dirname(folder))
  const unfinished = `${folder}${UNFINISHED}${process.pid}`
  mkdirSync(unfinished, { recursive: true, mode: 0o700 })
  try {
    const manifest = await save(unfinished)
    renameSync(unfinished, folder)
    return manifest
  } catch (error) {
    rmSync(unfinished, { recursive: true })
    throw error
  }
}

/** Followed by the id of the process that writes it. */
const UNFINISHED = '.unfinished-backup-'

function removeUnfinished(parent: string): void {
  for (const name of existsSync(parent) ? readdirSync(parent) : []) {
    const [, pid] = name.split(UNFINISHED)
    if (pid && /^\d+$/.test(pid) && !isRunning(Number(pid))) rmSync(join(parent, name), { recursive: true })
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // A process of another user cannot be signalled.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

async function saveAll(folder: string, at: string, target: Target): Promise<Manifest> {
  const save = target === 'remote' ? exportDatabase : saveDatabase
  const databases: SavedDatabase[] = []
  for (const { binding } of readDeployment().databases) databases.push(await save(binding, folder))
  return writeManifest(folder, { at, place: target, databases })
}

async function saveDatabase(binding: string, folder: string): Promise<SavedDatabase> {
  const file = `${binding}.sqlite`
  const rows = await copyDatabase(binding, join(folder, file))
  return { binding, file, sha256: await hashOf(join(folder, file)), rows }
}

async function exportDatabase(binding: string, folder: string): Promise<SavedDatabase> {
  const file = `${binding}.sql`
  const path = join(folder, file)
  await run(['d1', 'export', binding, '--remote', '--output', path, '--skip-confirmation'])
  chmodSync(path, OWNER_ONLY_FILE)
  return { binding, file, sha256: await hashOf(path), rows: await countRows(path) }
}

function summarize(folder: string, { databases }: Manifest) {
  return {
    backup: folder,
    databases: databases.map(({ binding, rows }) => ({
      database: binding,
      applications: rows.applications ?? 0,
      users: rows.users ?? 0,
      events: rows.events ?? 0,
    })),
    note: 'Its private keys open only with the current KEY_SEALING_SECRET. Store that elsewhere.',
  }
}
