import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare, Response } from 'miniflare'
import { CRONS } from '../../schedule.ts'
import { publicAddress } from '../command-line.ts'
import { readConfig } from '../deployment.ts'
import { CommandFailure } from '../failure.ts'
import { KEPT, QUIET, STATE } from '../wrangler.ts'
import { BUNDLE, WORKER } from './bundle.ts'
import { FileCheck } from './file-check.ts'
import { LogFile } from './log-file.ts'
import { askHealth, followRuntime, runtimeProgram, watchRuntime } from './runtime-watch.ts'
import { modulesIn, queueOptions, readSecrets, workerOptions } from './worker-options.ts'

const NAME = 'mauve'
const LOOPBACK = '127.0.0.1'
const JOBS_EVERY_MS = 5 * 60_000
/** The queue delivers after one second; see `max_batch_timeout` in wrangler.toml. */
const DRAIN_MS = 2_000

/**
 * Serves the bundled worker on loopback, or where MAUVE_HOST says, with its data where `wrangler … --local` finds it; returns when it answers. `wrangler dev` is no
 * alternative: its proxy ends with the first client that hangs up. The test of faults names a worker that wraps this one.
 * Returns a function that lets the queue empty itself and stops the service; the next start stores what is left in the queue.
 */
export async function startService(port: number, worker = WORKER): Promise<() => Promise<void>> {
  await shieldRuntime()
  const runtime = followRuntime()
  const files = new FileCheck(console.error)
  const miniflare = new Miniflare(convertV4MiniflareOptions(optionsFor(port, worker, files)))
  await miniflare.ready.catch(toFailure)
  // Miniflare's handlers would end the process immediately, with events still in the queue.
  for (const signal of ['SIGINT', 'SIGTERM']) process.removeAllListeners(signal)
  await runJobs(miniflare, Date.now())
  scheduleJobs(miniflare)
  files.start()
  const ask = (signal: AbortSignal) => askHealth(`http://localhost:${port}`, signal)
  const unwatch = watchRuntime({ ask, end: () => runtime()?.kill('SIGKILL') })
  return async () => {
    unwatch()
    await sleep(DRAIN_MS)
    await miniflare.dispose()
  }
}

function toFailure(error: unknown): never {
  if ((error as { code?: unknown }).code !== 'ERR_ADDRESS_IN_USE') throw error
  throw new CommandFailure('The port was taken while the service started. Perhaps another "npm start" is running.')
}

/**
 * Without this shell script the terminal's Ctrl-C would also end the runtime, with events still in the queue, and the runtime
 * would survive if this process is killed. So it ignores the signal, and ends itself when this process is gone.
 */
const SHIELD = `#!/bin/sh
trap '' INT HUP
node=$PPID
(while kill -0 $$; do kill -0 "$node" || kill -9 $$; sleep 1; done) </dev/null >/dev/null 2>&1 3>&- &
exec "$MAUVE_RUNTIME" "$@"
`

async function shieldRuntime(): Promise<void> {
  if (process.platform === 'win32') return
  const file = join(KEPT, 'runtime.sh')
  await writeFile(file, SHIELD, { mode: 0o700 })
  process.env.MAUVE_RUNTIME ??= runtimeProgram()
  process.env.MINIFLARE_WORKERD_PATH = file
}

function optionsFor(port: number, worker: string, files: FileCheck) {
  // Nothing is fetched from elsewhere, not even a location for `request.cf`.
  Object.assign(process.env, QUIET)
  const config = readConfig()
  const own = workerOptions(config, readSecrets())
  const { consumers = [], producers } = config.queues ?? {}
  const host = process.env.MAUVE_HOST || LOOPBACK
  const queue = queueOptions({ name: NAME, worker: own, consumers, producers })
  return {
    // Miniflare's own socket trusts headers of its clients, and where it listens, its internal server does, too.
    host: LOOPBACK,
    port: 0,
    log: new RuntimeLog(LogLevel.ERROR),
    handleStructuredLogs: openLog(files),
    unsafeHandleRuntimeRestart: () => console.error('The runtime ended and was started again.'),
    resourcePersistencePath: join(STATE, 'v3'),
    workers: [
      {
        ...own,
        ...queue,
        serviceBindings: {
          ...queue.serviceBindings,
          LOCAL_HEALTH: { name: NAME, entrypoint: 'LocalHealth' },
          DAMAGE: () => Response.json(files.damage),
        },
        bindings: {
          ...queue.bindings,
          PROXIED_AT: process.env.MAUVE_ADDRESS ? publicAddress() : null,
          LISTENS_ON: host,
        },
        unsafeDirectSockets: [{ host, port }],
        name: NAME,
        modulesRoot: BUNDLE,
        modules: modulesIn(BUNDLE, worker),
      },
    ],
  }
}

/** Miniflare restarts a runtime that ended. If it cannot, it would continue without one, and nothing would answer. */
class RuntimeLog extends Log {
  override error(error: Error): void {
    super.error(error)
    if ((error as { code?: unknown }).code === 'ERR_RUNTIME_FAILURE') process.exit(1)
  }
}

/** Everything that the worker logs goes to a file; errors are also printed. */
function openLog(files: FileCheck): (line: { level: string; message: string }) => void {
  const file = new LogFile(join(KEPT, 'service.log'))
  return ({ level, message }) => {
    file.write(message)
    if (level !== 'error') return
    console.error(message)
    files.read(message)
  }
}

/**
 * A local service has no cron, so it runs all jobs every few minutes, which they tolerate. No address triggers them, because any
 * page that is open in a browser here could.
 */
async function runJobs(miniflare: Miniflare, at: number): Promise<void> {
  const scheduledTime = new Date(at)
  const run = async (cron: string) => (await miniflare.getWorker(NAME)).scheduled({ cron, scheduledTime })
  await Promise.allSettled(CRONS.map(run))
}

/** When the platform's cron would: digests are due at whole hours. */
function scheduleJobs(miniflare: Miniflare): void {
  const now = Date.now()
  const next = now - (now % JOBS_EVERY_MS) + JOBS_EVERY_MS
  const run = () => runJobs(miniflare, next).finally(() => scheduleJobs(miniflare))
  setTimeout(run, next - now).unref()
}
