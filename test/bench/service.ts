import { execFileSync } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from 'miniflare'
import { issueKey } from '../../src/access/api-keys.ts'
import { type Config, readConfig } from '../../src/commands/deployment.ts'
import { modulesIn, workerOptions } from '../../src/commands/local/worker-options.ts'
import { INIT_DATA_PUBLIC_KEYS } from '../support/init-data.ts'

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

const ROOT = join(import.meta.dirname, '../..')
const WRANGLER = join(ROOT, 'node_modules/wrangler/bin/wrangler.js')
const QUIET = { WRANGLER_SEND_METRICS: 'false', WRANGLER_LOG: 'error', CI: 'true' }
const LOOPBACK = '127.0.0.1'
const WORKERS = [
  { name: 'mauve', config: join(ROOT, 'wrangler.toml'), code: 'index.ts' },
  { name: 'bench', config: join(ROOT, 'test/bench/wrangler.toml'), code: 'worker.ts' },
] as const

/** A folder for everything that a run segments behind; it goes when the process ends, however it ends. */
const folder = mkdtempSync(join(tmpdir(), 'mauve-bench-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))

/** Bundles both workers; once a run. */
export function bundleWorkers(): void {
  for (const { name, config } of WORKERS) {
    const command = [WRANGLER, 'deploy', '--config', config, '--dry-run', '--outdir', join(folder, name)]
    execFileSync(process.execPath, command, { stdio: 'pipe', env: { ...process.env, ...QUIET } })
  }
}

/** Starts both workers on an empty storage. */
export async function startService(): Promise<Service> {
  silenceRuntime()
  const miniflare = new Miniflare(convertV4MiniflareOptions(await options()))
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

async function options() {
  const secrets = { KEY_SEALING_SECRET: randomBytes(32).toString('base64'), INIT_DATA_PUBLIC_KEYS }
  return {
    host: LOOPBACK,
    port: 0,
    cf: false,
    log: new Log(LogLevel.ERROR),
    resourcePersistencePath: mkdtempSync(join(folder, 'storage-')),
    workers: WORKERS.map(({ name, config, code }) => ({
      ...withoutLimits(workerOptions(readConfig(config), secrets)),
      ...queuesOf(readConfig(config)),
      name,
      modulesRoot: join(folder, name),
      modules: modulesIn(join(folder, name), code),
      unsafeDirectSockets: [{ host: LOOPBACK, port: 0 }],
    })),
  }
}

/** Miniflare's own queues, in memory. */
function queuesOf({ queues }: Config) {
  const names = Object.fromEntries((queues?.producers ?? []).map(({ binding, queue = '' }) => [binding, queue]))
  const consumers = (queues?.consumers ?? []).map(({ queue, ...consumer }) => [queue, consumer] as const)
  return {
    queueProducers: names,
    queueConsumers: Object.fromEntries(
      consumers.map(([queue, { max_batch_size: maxBatchSize = 10 }]) => [queue, { maxBatchSize, maxBatchTimeout: 1 }]),
    ),
  }
}

/** The load comes from one address with one key. It is still counted, as everywhere; only the limiters are not there to say no. */
function withoutLimits<Options extends object>(options: Options): Options {
  return { ...options, ratelimits: {} }
}

async function migrate(database: Database): Promise<void> {
  const migrations = join(ROOT, 'migrations')
  const files = readdirSync(migrations).filter((file) => file.endsWith('.sql'))
  const statements = files
    .sort()
    .flatMap((file) => readFileSync(join(migrations, file), 'utf8').split('--> statement-breakpoint'))
  await database.batch(statements.map((statement) => database.prepare(statement)))
}

export interface Application {
  readonly id: number
  /** Without its at-sign. */
  readonly handle: string
  readonly key: string
}

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
  const handle = await register(mauve, key)
  const id = await databases.mauve
    .prepare('select id from applications where account_id = ?')
    .bind(accountId)
    .first('id')
  return { id: Number(id), handle, key }
}

async function register(mauve: URL, key: string): Promise<string> {
  const handle = `bench_${randomUUID().slice(0, 8)}`
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
