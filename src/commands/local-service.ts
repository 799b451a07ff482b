import { createWriteStream } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from 'miniflare'
import { CRONS } from '../schedule.ts'
import { modulesIn } from './bundle.ts'
import { CommandFailure } from './failure.ts'
import { OWNER_ONLY_FILE } from './private-files.ts'
import { KEPT, QUIET, ROOT, runWrangler } from './wrangler.ts'

export interface LocalService {
  readonly url: string
  /** Lets the queue empty itself, then ends the service. */
  stop(): Promise<void>
}

const LOOPBACK = '127.0.0.1'
const JOBS_EVERY_MS = 5 * 60_000
/** The queue hands over what it holds after one second; see `max_batch_timeout` in wrangler.toml. */
const DRAIN_MS = 2_000

/**
 * Serves the worker on loopback, with its data where `wrangler … --local` finds it; gives it when it answers.
 * Not through `wrangler dev`, whose proxy ends with the first client that hangs up on it.
 */
export async function startService(port: number): Promise<LocalService> {
  const folder = join(KEPT, 'bundle')
  await runWrangler(['deploy', '--dry-run', '--outdir', folder])
  await shieldRuntime()
  const miniflare = new Miniflare(convertV4MiniflareOptions(await optionsFor(port, folder)))
  await miniflare.ready.catch(toFailure)
  // Its own handlers would end the process at once, with events still in the queue.
  for (const signal of ['SIGINT', 'SIGTERM']) process.removeAllListeners(signal)
  const url = `http://localhost:${port}`
  await runJobs(url)
  setInterval(runJobs, JOBS_EVERY_MS, url).unref()
  return { url, stop: () => sleep(DRAIN_MS).then(() => miniflare.dispose()) }
}

function toFailure(error: unknown): never {
  if ((error as { code?: unknown }).code !== 'ERR_ADDRESS_IN_USE') throw error
  throw new CommandFailure('The port was taken while the service started. Perhaps another "npm start" runs already.')
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
  process.env.MAUVE_RUNTIME = createRequire(import.meta.resolve('miniflare'))('workerd').default
  process.env.MINIFLARE_WORKERD_PATH = file
}

async function optionsFor(port: number, folder: string) {
  Object.assign(process.env, QUIET, { WRANGLER_LOG: 'error' })
  // Loaded only now: the environment tells it to be quiet.
  const { unstable_getMiniflareWorkerOptions: configured } = await import('wrangler')
  return {
    host: LOOPBACK,
    port,
    log: new Log(LogLevel.ERROR),
    handleStructuredLogs: await openLog(),
    resourcePersistencePath: join(KEPT, 'state', 'v3'),
    unsafeTriggerHandlers: true,
    workers: [
      {
        ...configured(join(ROOT, 'wrangler.toml')).workerOptions,
        name: 'mauve',
        modulesRoot: folder,
        modules: modulesIn(folder, 'index.js'),
      },
    ],
  }
}

/** What the worker says goes into a file, which every start empties; what went wrong is also said here. */
async function openLog(): Promise<(line: { level: string; message: string }) => void> {
  await mkdir(KEPT, { recursive: true })
  const file = createWriteStream(join(KEPT, 'service.log'), { mode: OWNER_ONLY_FILE })
  return ({ level, message }) => {
    file.write(`${message}\n`)
    if (level === 'error') console.error(message)
  }
}

/** The platform's cron does not run on a machine of one's own: all jobs run now and then, which they are made for. */
async function runJobs(url: string): Promise<void> {
  const jobs = CRONS.map((cron) => fetch(`${url}/cdn-cgi/local/scheduled?cron=${encodeURIComponent(cron)}`))
  await Promise.allSettled(jobs)
}
