import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from 'miniflare'
import { issueKey } from '../../src/access/api-keys.ts'
import { INIT_DATA_PUBLIC_KEYS } from '../support/init-data.ts'
import { bundleWorker, LOOPBACK, migrate, optionsOf, SERVICE } from '../support/running-worker.ts'

/** The running service, with the benchmark's own worker beside it, on one storage. */
export interface Service {
  /** Where the service's worker listens, without any proxy in front of it. */
  readonly mauve: URL
  /** Where the benchmark's worker listens. */
  readonly bench: URL
  readonly databases: Databases
  stop(): Promise<void>
}

type Database = Awaited<ReturnType<Miniflare['getD1Database']>>

interface Databases {
  /** The service's own. */
  readonly mauve: Database
  /** One table of events with nothing around it. */
  readonly bare: Database
}

const WORKERS = [
  SERVICE,
  { name: 'bench', config: join(import.meta.dirname, 'wrangler.toml'), code: 'worker.ts' },
] as const

/** A folder for everything that a run segments behind; it goes when the process ends, however it ends. */
const folder = mkdtempSync(join(tmpdir(), 'mauve-bench-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))

/** Bundles both workers; once a run. */
export function bundleWorkers(): void {
  for (const worker of WORKERS) bundleWorker(worker, folder)
}

interface ServiceOptions {
  /** How long events wait for others. */
  readonly queueSeconds?: number
}

/** Starts both workers on an empty storage. */
export async function startService({ queueSeconds = 1 }: ServiceOptions = {}): Promise<Service> {
  silenceRuntime()
  const miniflare = new Miniflare(convertV4MiniflareOptions(await options(queueSeconds)))
  const databases = {
    mauve: await miniflare.getD1Database('DB', 'mauve'),
    bare: await miniflare.getD1Database('BARE', 'bench'),
  }
  for (const database of Object.values(databases)) await migrate(database)
  return {
    mauve: await miniflare.unsafeGetDirectURL('mauve'),
    bench: await miniflare.unsafeGetDirectURL('bench'),
    databases,
    stop: () => miniflare.dispose(),
  }
}

/** The service's log goes nowhere: reading it would take the time of the process that makes the load. */
function silenceRuntime(): void {
  if (process.platform === 'win32') return
  const runtime = createRequire(import.meta.resolve('miniflare'))('workerd').default
  const file = join(folder, 'runtime.sh')
  writeFileSync(file, `#!/bin/sh\nexec "${runtime}" "$@" >/dev/null\n`, { mode: 0o700 })
  process.env.MINIFLARE_WORKERD_PATH = file
}

async function options(queueSeconds: number) {
  const secrets = { KEY_SEALING_SECRET: randomBytes(32).toString('base64'), INIT_DATA_PUBLIC_KEYS }
  return {
    host: LOOPBACK,
    port: 0,
    cf: false,
    log: new Log(LogLevel.ERROR),
    resourcePersistencePath: mkdtempSync(join(folder, 'storage-')),
    workers: WORKERS.map((worker) => ({
      ...withoutLimits(optionsOf(worker, { folder, secrets, queueSeconds })),
      unsafeDirectSockets: [{ host: LOOPBACK, port: 0 }],
    })),
  }
}

/** The load comes from one address with one key. It is still counted, as everywhere; only the limiters are not there to say no. */
function withoutLimits<Options extends object>(options: Options): Options {
  return { ...options, ratelimits: {} }
}

export interface Application {
  readonly id: number
  /** Without its at-sign. */
  readonly handle: string
  readonly key: string
}

/** The history's personal links name their inviters. */
const SOURCES = [{ pattern: 'ref_{referrer}', set: { source: 'referral' } }]

/** A new account with a key and a registered application. */
export async function createApplication({ mauve, databases }: Service): Promise<Application> {
  const { key, hash, lastFour } = issueKey()
  const accountId = randomUUID()
  const now = Date.now()
  await databases.mauve.batch([
    databases.mauve.prepare('insert into accounts values (?, ?, ?, ?)').bind(accountId, 'Bench', 'enterprise', now),
    databases.mauve
      .prepare('insert into api_keys (hash, account_id, scope, last_four, created_at) values (?, ?, ?, ?, ?)')
      .bind(hash, accountId, 'full', lastFour, now),
  ])
  const handle = await register(mauve, key, `bench_${randomUUID().slice(0, 8)}`)
  const id = await databases.mauve
    .prepare('update applications set sources = ? where account_id = ? returning id')
    .bind(JSON.stringify(SOURCES), accountId)
    .first('id')
  return { id: Number(id), handle, key }
}

export async function register(mauve: URL, key: string, handle: string): Promise<string> {
  const details = {
    name: 'Bench',
    handle: `@${handle}`,
    link: 'https://t.me/bench',
    description: '',
    photo_url: 'https://example.org/b.png',
  }
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const body = JSON.stringify(details)
  const response = await fetch(new URL('/applications/register', mauve), { method: 'POST', headers, body })
  if (!response.ok) throw new Error(`Registration answered ${response.status}: ${await response.text()}`)
  return handle
}
