import { createHash } from 'node:crypto'
import { createReadStream, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { readDeployment } from '../deployment.ts'
import { CommandFailure } from '../failure.ts'
import { OWNER_ONLY_FILE } from '../private-files.ts'
import { ROOT } from '../wrangler.ts'

const FORMAT = 1
const NAME = 'manifest.json'
/** The table in which Wrangler records applied migrations, one a row. */
const APPLIED = 'd1_migrations'

/** A backup is a folder with this as `manifest.json`, and a file for each database. */
const Manifest = z.object({
  format: z.number(),
  /** When it began, in ISO 8601. */
  at: z.string(),
  /** The version of the service that wrote it. */
  release: z.string(),
  /** `local`: files of SQLite. `remote`: SQL, as D1 exports it. */
  place: z.enum(['local', 'remote']),
  databases: z.array(
    z.object({
      binding: z.string(),
      /** In the folder. */
      file: z.string(),
      sha256: z.string(),
      /** How many rows each table has. */
      rows: z.record(z.string(), z.number()),
    }),
  ),
})

export type Manifest = z.infer<typeof Manifest>
export type SavedDatabase = Manifest['databases'][number]

/** Writes the last file of a backup, which makes it complete. */
export function writeManifest(folder: string, manifest: Omit<Manifest, 'format' | 'release'>): Manifest {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const whole: Manifest = { format: FORMAT, release: version, ...manifest }
  writeFileSync(join(folder, NAME), `${JSON.stringify(whole, null, 2)}\n`, { mode: OWNER_ONLY_FILE })
  return whole
}

/** Reads the manifest of a backup and checks its files against it. */
export async function readManifest(folder: string, target: Manifest['place']): Promise<Manifest> {
  const manifest = parse(folder)
  if (manifest.format > FORMAT) {
    throw new CommandFailure(`${folder} was made by a newer release. Update this one first.`)
  }
  if (manifest.place !== target) throw new CommandFailure(OF_OTHER_TARGET[target](folder))
  const known = readDeployment().databases.map((database) => database.binding)
  for (const { binding, file, sha256, rows } of manifest.databases) {
    if (!known.includes(binding)) {
      throw new CommandFailure(`The backup has a database ${binding}, which wrangler.toml does not name.`)
    }
    if (basename(file) !== file || file === '..') {
      throw new CommandFailure(`The manifest names ${file}, which is not a file of the folder ${folder}.`)
    }
    const path = join(folder, file)
    if (!isFile(path) || (await hashOf(path)) !== sha256) {
      throw new CommandFailure(`${path} is not what was backed up: it is missing or was changed.`)
    }
    if ((rows[APPLIED] ?? 0) > migrations()) {
      throw new CommandFailure('The backup was made by a newer release. Update this one first: git pull, npm install.')
    }
  }
  return manifest
}

const OF_OTHER_TARGET: Readonly<Record<Manifest['place'], (folder: string) => string>> = {
  local: (folder) => `${folder} is a backup of the deployed service: restore it with --remote.`,
  remote: (folder) => `${folder} is a backup of a local service: restore it without --remote.`,
}

function parse(folder: string): Manifest {
  let value: unknown
  try {
    value = JSON.parse(readFileSync(join(folder, NAME), 'utf8'))
  } catch {
    throw new CommandFailure(`${folder} is not a complete backup: ${NAME} is missing.`)
  }
  const { data, error } = Manifest.safeParse(value)
  if (data) return data
  const [{ path = [], message = '' } = {}] = error.issues
  throw new CommandFailure(`${join(folder, NAME)} is not what a backup writes: ${path.join('.')}: ${message}.`)
}

function migrations(): number {
  return readdirSync(join(ROOT, 'migrations')).filter((name) => name.endsWith('.sql')).length
}

export function isOlder({ rows }: SavedDatabase): boolean {
  return (rows[APPLIED] ?? 0) < migrations()
}

export async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file)) hash.update(chunk)
  return hash.digest('hex')
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
}
