import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Miniflare } from 'miniflare'
import { type Config, readConfig } from '../../src/commands/deployment.ts'
import { modulesIn, workerOptions } from '../../src/commands/local/worker-options.ts'

// A Worker in the runtime without Wrangler's development server, whose proxies take eight times as long as a request itself.

export const LOOPBACK = '127.0.0.1'
const ROOT = join(import.meta.dirname, '../..')
const WRANGLER = join(ROOT, 'node_modules/wrangler/bin/wrangler.js')
const QUIET = { WRANGLER_SEND_METRICS: 'false', WRANGLER_LOG: 'error', CI: 'true' }

/** A Worker by its configuration (a wrangler.toml) and the name of its first file. */
export interface WorkerSource {
  readonly name: string
  readonly config: string
  readonly code: string
}

export const SERVICE: WorkerSource = { name: 'mauve', config: join(ROOT, 'wrangler.toml'), code: 'index.ts' }

/** Bundles a Worker into a folder of its name. */
export function bundleWorker({ name, config }: WorkerSource, folder: string): void {
  const command = [WRANGLER, 'deploy', '--config', config, '--dry-run', '--outdir', join(folder, name)]
  execFileSync(process.execPath, command, { stdio: 'pipe', env: { ...process.env, ...QUIET } })
}

/** Miniflare's options for a Worker bundled there, with Miniflare's own queues, which are in memory. */
export function optionsOf(
  { name, config, code }: WorkerSource,
  { folder, secrets, queueSeconds }: { folder: string; secrets: Record<string, string>; queueSeconds: number },
) {
  const settings = readConfig(config)
  return {
    ...workerOptions(settings, secrets),
    ...queuesOf(settings, queueSeconds),
    name,
    modulesRoot: join(folder, name),
    modules: modulesIn(join(folder, name), code),
  }
}

function queuesOf({ queues }: Config, maxBatchTimeout: number) {
  const names = Object.fromEntries((queues?.producers ?? []).map(({ binding, queue = '' }) => [binding, queue]))
  const consumers = (queues?.consumers ?? []).map((consumer) => {
    const {
      queue,
      max_batch_size: maxBatchSize = 10,
      max_retries: maxRetries = 3,
      dead_letter_queue: deadLetterQueue,
    } = consumer
    return [queue, { maxBatchSize, maxBatchTimeout, maxRetries, ...(deadLetterQueue && { deadLetterQueue }) }] as const
  })
  return { queueProducers: names, queueConsumers: Object.fromEntries(consumers) }
}

/** Runs all migrations on an empty database. */
export async function migrate(database: Awaited<ReturnType<Miniflare['getD1Database']>>): Promise<void> {
  const migrations = join(ROOT, 'migrations')
  const files = readdirSync(migrations).filter((file) => file.endsWith('.sql'))
  const statements = files
    .sort()
    .flatMap((file) => readFileSync(join(migrations, file), 'utf8').split('--> statement-breakpoint'))
  await database.batch(statements.map((statement) => database.prepare(statement)))
}
