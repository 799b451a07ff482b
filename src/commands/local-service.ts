import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { CRONS } from '../schedule.ts'
import { CommandFailure } from './failure.ts'
import { HERE, spawnWrangler } from './wrangler.ts'

export interface LocalService {
  readonly url: string
  /** Lets the queue empty itself, then ends the service. */
  stop(): Promise<void>
}

const PATIENCE_MS = 60_000
const JOBS_EVERY_MS = 5 * 60_000
/** The queue hands over what it holds after one second; see `max_batch_timeout` in wrangler.toml. */
const DRAIN_MS = 2_000

/** Serves the worker on loopback, with its data in .wrangler/state; gives it when it answers. */
export async function startService(port: number): Promise<LocalService> {
  const child = spawnWrangler([
    'dev',
    ...HERE,
    '--ip',
    'localhost',
    '--port',
    String(port),
    '--inspector-port',
    '0',
    '--log-level',
    'error',
  ])
  const url = `http://localhost:${port}`
  showOutput(child)
  await untilItAnswers(url, child)
  runJobs(url)
  setInterval(runJobs, JOBS_EVERY_MS, url).unref()
  return { url, stop: () => stop(child) }
}

/** The platform's cron does not run on a machine of one's own: all jobs run now and then, which they are made for. */
function runJobs(url: string): void {
  for (const cron of CRONS) {
    void fetch(`${url}/cdn-cgi/local/scheduled?cron=${encodeURIComponent(cron)}`).catch(() => undefined)
  }
}

function showOutput(child: ChildProcess): void {
  child.stdout?.pipe(process.stdout)
  child.stderr?.pipe(process.stderr)
}

async function untilItAnswers(url: string, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS
  while (Date.now() < deadline) {
    if (child.exitCode !== null)
      throw new CommandFailure('The service ended before it could answer; the reason stands above.')
    if (await answers(url)) return
    await sleep(100)
  }
  await stop(child)
  throw new CommandFailure(`The service did not answer within ${PATIENCE_MS / 1000} seconds.`)
}

async function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    () => true,
    () => false,
  )
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.pid === undefined) return
  await sleep(DRAIN_MS)
  const ended = new Promise((resolve) => child.once('close', resolve))
  process.kill(-child.pid, 'SIGTERM')
  await Promise.race([ended, sleep(5_000)])
}
