import { mkdir, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare, Response } from 'miniflare'
import { CRONS } from '../../schedule.ts'
import { readConfig } from '../deployment.ts'
import { CommandFailure } from '../failure.ts'
import { KEPT, QUIET, runWrangler } from '../wrangler.ts'
import { modulesIn } from './bundle.ts'
import { FileCheck } from './file-check.ts'
import { LogFile } from './log-file.ts'
import { queueOptions } from './queue-options.ts'
import { askHealth, followRuntime, runtimeProgram, watchRuntime } from './runtime-watch.ts'
import { readSecrets, workerOptions } from './worker-options.ts'

export interface LocalService {
  readonly url: string
  /** Lets the queue empty itself, then ends the service. What is left in it is stored after the next start. */
  stop(): Promise<void>
}

const NAME = 'mauve'
const LOOPBACK = '127.0.0.1'
const JOBS_EVERY_MS = 5 * 60_000
/** The queue hands over what it holds after one second; see `max_batch_timeout` in wrangler.toml. */
const DRAIN_MS = 2_000
/** The Worker and the local queue beside it. */
const WORKER = join(import.meta.dirname, 'worker.ts')

/**
 * Serves the worker on loopback, with its data where `wrangler … --local` finds it; returns when it answers.
 * Not through `wrangler dev`, whose proxy ends with the first client that hangs up on it. The test of faults names another
 * worker, which has this one inside.
 */
export async function startService(port: number, worker = WORKER): Promise<LocalService> {
  const folder = join(KEPT, 'bundle')
  await rm(folder, { recursive: true, force: true })
  await runWrangler(['deploy', worker, '--dry-run', '--outdir', folder])
  await shieldRuntime()
  const runtime = followRuntime()
  const files = new FileCheck((sentence) => console.error(sentence))
  const code = `${basename(worker, '.ts')}.js`
  const miniflare = new Miniflare(convertV4MiniflareOptions(await optionsFor(port, modulesIn(folder, code), files)))
  await miniflare.ready.catch(toFailure)
  // Its own handlers would end the process at once, with events still in the queue.
  for (const signal of ['SIGINT', 'SIGTERM']) process.removeAllListeners(signal)
  const url = `http://localhost:${port}`
  await runJobs(miniflare)
  setInterval(runJobs, JOBS_EVERY_MS, miniflare).unref()
  files.start()
  const unwatch = watchRuntime({ ask: (signal) => askHealth(url, signal), end: () => runtime()?.kill('SIGKILL') })
  const stop = async () => {
    unwatch()
    await sleep(DRAIN_MS)
    await miniflare.dispose()
  }
  return { url, stop }
}

function toFailure(error: unknown): never {
  if ((error as { code?: unknown }).code !== 'ERR_ADDRESS_IN_USE') throw error
  throw new CommandFailure('The port was taken while the service started. Perhaps another "npm start" is running.')
}

/**
 * The runtime would get the terminal's Ctrl-C too and end with events still in the queue; and it would outlive a process
 * of ours that is killed. So it ignores the one, and is watched for the other.
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
  process.env.MAUVE_RUNTIME = runtimeProgram()
  process.env.MINIFLARE_WORKERD_PATH = file
}

type Modules = ReturnType<typeof modulesIn>

async function optionsFor(port: number, modules: Modules, files: FileCheck) {
  // Nothing is fetched from outside, not even a place for `request.cf`.
  Object.assign(process.env, QUIET)
  const config = readConfig()
  const worker = workerOptions(config, readSecrets())
  const queue = queueOptions({ name: NAME, worker, consumers: config.queues?.consumers ?? [] })
  return {
    host: LOOPBACK,
    port,
    log: new RuntimeLog(LogLevel.ERROR),
    handleStructuredLogs: await openLog(files),
    unsafeHandleRuntimeRestart: () => console.error('The runtime ended and was started again.'),
    resourcePersistencePath: join(KEPT, 'state', 'v3'),
    workers: [
      {
        ...worker,
        ...queue,
        serviceBindings: {
          ...queue.serviceBindings,
          LOCAL_HEALTH: { name: NAME, entrypoint: 'LocalHealth' },
          DAMAGE: () => Response.json(files.damage),
        },
        name: NAME,
        modulesRoot: join(KEPT, 'bundle'),
        modules,
      },
    ],
  }
}

/** Miniflare starts a runtime anew that ended, and if it cannot goes on without one: nothing would answer any more. */
class RuntimeLog extends Log {
  override error(error: Error): void {
    super.error(error)
    if ((error as { code?: unknown }).code === 'ERR_RUNTIME_FAILURE') process.exit(1)
  }
}

/** What the worker says goes into a file; what went wrong is also said here. */
async function openLog(files: FileCheck): Promise<(line: { level: string; message: string }) => void> {
  await mkdir(KEPT, { recursive: true })
  const file = new LogFile(join(KEPT, 'service.log'))
  return ({ level, message }) => {
    file.write(message)
    if (level !== 'error') return
    console.error(message)
    files.read(message)
  }
}

/**
 * The platform's cron does not run on a machine of one's own: all jobs run now and then, which they are made for. No address
 * triggers them: any page that is open in a browser here could.
 */
async function runJobs(miniflare: Miniflare): Promise<void> {
  const run = async (cron: string) => (await miniflare.getWorker(NAME)).scheduled({ cron, scheduledTime: new Date() })
  await Promise.allSettled(CRONS.map(run))
}
