import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DemoEvent } from '../../src/commands/demo/event.ts'
import { history } from '../../src/commands/demo/history.ts'
import { runtimeProgram } from '../../src/commands/local/runtime-watch.ts'
import { familyOf, nameOf, runningOf } from '../commands/processes.ts'
import { freePort } from '../faults/process.ts'
import { heapsAt } from './heaps.ts'
import { QUESTIONS } from './questions.ts'
import { progress } from './rounds.ts'

export interface Soak {
  readonly minutes: number
  /** How many a second; 0 for none. */
  readonly events: number
  readonly questions: number
}

const MINUTE_MS = 60_000
/** A page sends what happened since it sent last. */
const EVENTS_A_REQUEST = 10
const CONNECTIONS = 4
/** The history that passes: its users come and return as within this many days. */
const DAYS = 90
/** Stored before the first minute, so that questions have something to read; in requests of servers. */
const STORED_FIRST = 50_000
const EVENTS_OF_A_SERVER = 500
/** Growth of less than this many megabytes a minute, over the last half, has ended. */
const LEVEL = 1
const RUN = join(import.meta.dirname, '../../src/commands/run.ts')

interface Sample {
  readonly minute: number
  /** Megabytes of the whole runtime, and of them what is no file. */
  readonly resident: number
  readonly anonymous: number
  /** Megabytes of the JavaScript heaps of all workers, and of what they hold outside of them. */
  readonly used: number
  readonly heap: number
  readonly backing: number
}

/** Prints the memory of the runtime of `npm start` for each minute under a steady load, and whether it still grows in the end. */
export async function printSoak(soak: Soak): Promise<void> {
  const service = await startService()
  const end = new AbortController()
  const done = { events: 0, questions: 0, refused: 0 }
  const working = load(service, soak, { done, signal: end.signal })
  const samples: Sample[] = []
  console.log('minute  RSS MB  no file  JS used  JS heap  buffers  events  questions  refused')
  const began = performance.now()
  for (let minute = 0; minute <= soak.minutes; minute++) {
    await sleep(Math.max(0, began + minute * MINUTE_MS - performance.now()))
    const sample = await service.sample(minute)
    samples.push(sample)
    const columns = [minute, sample.resident, sample.anonymous, sample.used, sample.heap, sample.backing]
    console.log([...columns, done.events, done.questions, done.refused].map((n) => n.toFixed(0).padStart(7)).join(' '))
  }
  end.abort()
  await working
  console.log(verdict(samples))
  for (const line of await service.heapLines()) console.log(line)
  await service.stop()
}

function verdict(samples: readonly Sample[]): string {
  const half = samples.slice(samples.length >> 1)
  const slope = slopeOf(half.map(({ minute, resident }) => [minute, resident]))
  const heap = slopeOf(half.map(({ minute, heap, backing }) => [minute, heap + backing]))
  const figures = `${slope.toFixed(2)} MB a minute over the last half, JavaScript ${heap.toFixed(2)}`
  return slope < LEVEL ? `Growth has ended: ${figures}.` : `Growth goes on: ${figures}.`
}

/** The slope of the line with the least squares. */
function slopeOf(points: readonly (readonly [number, number])[]): number {
  const mean = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length
  const [x, y] = [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))]
  const sum = (of: (point: readonly [number, number]) => number) =>
    points.reduce((total, point) => total + of(point), 0)
  return sum(([a, b]) => (a - x) * (b - y)) / sum(([a]) => (a - x) ** 2)
}

interface Soaked {
  readonly url: string
  readonly key: string
  sample(minute: number): Promise<Sample>
  heapLines(): Promise<string[]>
  stop(): Promise<void>
}

/** `npm start` in a folder of its own, with an inspector that tells the heaps. */
async function startService(): Promise<Soaked> {
  const folder = mkdtempSync(join(tmpdir(), 'mauve-soak-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
  const [port, inspector] = [await freePort(), await freePort()]
  const runtime = join(folder, 'inspected.sh')
  const inspected = `#!/bin/sh\ncommand=$1\nshift\nexec "${runtimeProgram()}" "$command" --inspector-addr=127.0.0.1:${inspector} "$@"\n`
  writeFileSync(runtime, inspected, { mode: 0o700 })
  const env = {
    ...process.env,
    PORT: String(port),
    MAUVE_STATE: folder,
    MAUVE_RUNNING: join(folder, 'running'),
    MAUVE_RUNTIME: runtime,
  }
  const child = spawn(process.execPath, [RUN, 'start'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  process.once('exit', () => child.kill('SIGKILL'))
  const key = await keyOf(child)
  const workerd = familyOf(child.pid as number).find((pid) => nameOf(pid) === 'workerd')
  if (!workerd) throw new Error('The runtime is not found among the processes of Linux')
  return {
    url: `http://127.0.0.1:${port}`,
    key,
    sample: async (minute) => ({ minute, ...memoryOf(workerd), ...sumOf(await heapsAt(inspector)) }),
    heapLines: async () => (await heapsAt(inspector)).map(({ name, ...sizes }) => `${name}: ${JSON.stringify(sizes)}`),
    stop: async () => {
      const family = familyOf(child.pid as number)
      child.kill('SIGTERM')
      while (runningOf(family).length > 0) await sleep(100)
    },
  }
}

/** Reads on, so that the service can print. */
function keyOf(child: ChildProcess): Promise<string> {
  let printed = ''
  return new Promise((resolve, reject) => {
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      printed += chunk
      const [, key] = /^API key: (\S+)\n.*\nReference/m.exec(printed) ?? []
      if (key) resolve(key)
    })
    child.once('exit', () => reject(new Error(`The service did not start: ${printed}`)))
  })
}

function memoryOf(pid: number): Pick<Sample, 'resident' | 'anonymous'> {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const megabytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]) / 1024
  return { resident: megabytes('VmRSS'), anonymous: megabytes('RssAnon') }
}

function sumOf(heaps: Awaited<ReturnType<typeof heapsAt>>): Pick<Sample, 'used' | 'heap' | 'backing'> {
  const sum = (of: 'used' | 'heap' | 'backing') => heaps.reduce((total, heap) => total + heap[of], 0) / 2 ** 20
  return { used: sum('used'), heap: sum('heap'), backing: sum('backing') }
}

interface Loading {
  readonly done: { events: number; questions: number; refused: number }
  readonly signal: AbortSignal
}

/** Events as they come from pages, and questions as pages ask them, until it is told to stop. */
async function load({ url, key }: Soaked, soak: Soak, { done, signal }: Loading): Promise<void> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const visits = visitsOf(soak)
  const ask = async (path: string, init: RequestInit): Promise<boolean> => {
    const response = await fetch(url + path, { headers, ...init })
    await response.arrayBuffer()
    if (!response.ok) done.refused += 1
    return response.ok
  }
  const send = async (length = EVENTS_A_REQUEST) => {
    const events = Array.from({ length }, () => visits.next().value as DemoEvent)
    const body = JSON.stringify(events.map((event) => ({ ...event, datetime: Date.now() })))
    if (await ask('/v1/client/events', { method: 'POST', body })) done.events += length
  }
  const paths = QUESTIONS.map(({ path }) => path).filter((path) => !path.includes('/busiest/'))
  const askNext = async () => {
    if (await ask(paths[done.questions % paths.length] as string, {})) done.questions += 1
  }
  while (done.events < STORED_FIRST) await send(EVENTS_OF_A_SERVER)
  await Promise.all([
    ...Array.from({ length: CONNECTIONS }, () =>
      paced(soak.events / EVENTS_A_REQUEST / CONNECTIONS, () => send(), signal),
    ),
    ...Array.from({ length: CONNECTIONS }, () => paced(soak.questions / CONNECTIONS, askNext, signal)),
  ])
}

/** Events of the demo history, more than are sent, in their order. */
function* visitsOf({ minutes, events }: Soak): Generator<DemoEvent, undefined> {
  const extent = { events: STORED_FIRST + 2 * minutes * 60 * events, days: DAYS, now: Date.now() }
  for (;;) for (const day of history(extent)) yield* day
}

/** Does something so often a second, one after the other; what was late is made up for. */
async function paced(perSecond: number, work: () => Promise<unknown>, signal: AbortSignal): Promise<void> {
  if (perSecond === 0) return
  const began = performance.now()
  for (let times = 1; !signal.aborted; times++) {
    await work().catch((error) => progress(String(error)))
    await sleep(Math.max(0, began + (times * 1000) / perSecond - performance.now()))
  }
}
