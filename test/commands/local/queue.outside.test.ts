import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare, Response } from 'miniflare'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { askHealth, followRuntime, watchRuntime } from '../../../src/commands/local/runtime-watch.ts'
import { modulesIn, queueOptions } from '../../../src/commands/local/worker-options.ts'
import { runWrangler } from '../../../src/commands/wrangler.ts'
import { familyOf, nameOf } from '../processes.ts'
import type { Delivery, Orders } from './consumer.ts'

/** Only there are processes listed for everybody to read. */
const ON_LINUX = process.platform === 'linux'
const LIMITS = { max_batch_size: 3, max_batch_timeout: 0, max_retries: 1, max_concurrency: 2 }
const CONSUMER = { queue: 'events', dead_letter_queue: 'dead', ...LIMITS }
const DEAD_LETTERS_CONSUMER = { queue: 'dead', ...LIMITS }

let folder: string
let bundle: string
let running: Miniflare | undefined
let deliveries: Delivery[]
/** What the consumer does with a delivery. */
let consume: (delivery: Delivery) => Orders | Promise<Orders>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mauve-queue-'))
  bundle = join(folder, 'bundle')
  await runWrangler(['deploy', '--config', join(import.meta.dirname, 'wrangler.toml'), '--dry-run', '--outdir', bundle])
})

afterEach(async () => {
  await running?.dispose()
  running = undefined
})

afterAll(() => rm(folder, { recursive: true, force: true }))

interface Service {
  readonly url: URL
  /** Returns the status of the answer. */
  send(...bodies: string[]): Promise<number>
}

/** A queue of its own, on disk. */
async function serve(bounds: { maxBacklogCharacters?: number } = {}): Promise<Service> {
  const state = join(folder, randomUUID())
  const queue = queueOptions({
    name: 'test',
    worker: { compatibilityFlags: ['nodejs_compat'] },
    consumers: [CONSUMER, DEAD_LETTERS_CONSUMER],
    ...bounds,
  })
  deliveries = []
  consume = () => ({})
  const test = async (request: { json(): Promise<unknown> }) => {
    const delivery = (await request.json()) as Delivery
    deliveries.push(delivery)
    return Response.json(await consume(delivery))
  }
  const worker = {
    ...queue,
    serviceBindings: { ...queue.serviceBindings, TEST: test },
    name: 'test',
    compatibilityDate: '2026-08-01',
    modulesRoot: bundle,
    modules: modulesIn(bundle, 'consumer.ts'),
  }
  const log = new Log(LogLevel.NONE)
  running = new Miniflare(
    convertV4MiniflareOptions({
      host: '127.0.0.1',
      port: 0,
      log,
      handleStructuredLogs: () => {},
      resourcePersistencePath: state,
      workers: [worker],
    }),
  )
  const url = await running.ready
  const send = async (...bodies: string[]) =>
    (await fetch(url, { method: 'POST', body: JSON.stringify(bodies) })).status
  return { send, url }
}

/** How often each body was delivered. */
function counts(): Record<string, number> {
  const bodies = deliveries.flatMap(({ messages }) => messages.map(({ body }) => body))
  return Object.fromEntries(
    Map.groupBy(bodies, (body) => body)
      .entries()
      .map(([body, list]) => [body, list.length]),
  )
}

/** The test has started no other. */
function killRuntime(): void {
  const runtimes = familyOf(process.pid).filter((pid) => nameOf(pid) === 'workerd')
  expect(runtimes).toHaveLength(1)
  for (const pid of runtimes) process.kill(pid, 'SIGKILL')
}

const PATIENCE = { timeout: 30_000, interval: 20 }

async function expectDelivered(expected: Record<string, number>): Promise<void> {
  await vi.waitFor(() => expect(counts()).toEqual(expected), PATIENCE)
}

/** When the message was sent, for each delivery of this body by the queue. */
function sentTimes(queue: string, wanted: string): string[] {
  const own = deliveries.filter((delivery) => delivery.queue === queue).flatMap(({ messages }) => messages)
  return own.filter(({ body }) => body === wanted).map(({ timestamp }) => timestamp)
}

it('delivers each message once, no more at a time than are asked for', async () => {
  const { send } = await serve()
  const bodies = Array.from({ length: 20 }, (_, index) => `m${index}`)
  expect(await send(...bodies)).toBe(200)
  await expectDelivered(Object.fromEntries(bodies.map((body) => [body, 1])))
  expect(Math.max(...deliveries.map(({ messages }) => messages.length))).toBe(3)
})

it('delivers again what the consumer wants again, when it wants it', async () => {
  const { send } = await serve()
  const times: number[] = []
  consume = ({ messages }) => {
    if (messages.some(({ body }) => body === 'late')) times.push(performance.now())
    return messages.some(({ attempts }) => attempts > 1) ? {} : { orders: { late: 'retry later', soon: 'retry' } }
  }
  await send('done', 'late', 'soon')
  await expectDelivered({ done: 1, late: 2, soon: 2 })
  const [first = 0, second = 0] = times
  expect(second - first).toBeGreaterThan(1_900)
})

it('delivers again what was not acknowledged before the consumer failed', async () => {
  const { send } = await serve()
  consume = ({ messages }) => (messages[0]?.attempts === 1 ? { orders: { b: 'retry' }, fails: true } : {})
  await send('a', 'b')
  await expectDelivered({ a: 1, b: 2 })
})

it('hands what failed too often to the queue of dead letters, which keeps it until it is taken', async () => {
  const { send } = await serve()
  const tries = CONSUMER.max_retries + 1
  consume = ({ queue, messages }) => {
    const isTaken = queue === 'dead' && (messages[0]?.attempts ?? 0) > tries
    return isTaken ? {} : { orders: { bad: 'retry' } }
  }
  await send('good', 'bad')
  await vi.waitFor(() => expect(sentTimes('dead', 'bad')).toHaveLength(tries + 1), PATIENCE)
  expect(sentTimes('events', 'bad')).toHaveLength(tries)
  // However often it comes.
  expect(new Set(sentTimes('events', 'bad')).size).toBe(1)
  await send('next')
  await expectDelivered({ good: 1, bad: 2 * tries + 1, next: 1 })
})

it('begins further deliveries where one hangs', async () => {
  const { send } = await serve()
  consume = ({ messages }) => (messages[0]?.body === 'hangs' ? new Promise(() => {}) : {})
  await send('hangs')
  await expectDelivered({ hangs: 1 })
  await send('goes on')
  await expectDelivered({ hangs: 1, 'goes on': 1 })
})

it('takes nothing more where too much waits, until it is delivered', async () => {
  const { send } = await serve({ maxBacklogCharacters: 1_000 })
  let isAway = true
  consume = ({ messages: [first] }) => (isAway && first ? { orders: { [first.body]: 'retry' } } : {})
  expect(await send('x'.repeat(1_001))).toBe(200)
  expect(await send('refused')).toBe(503)
  isAway = false
  await vi.waitFor(async () => expect(await send('taken')).toBe(200), PATIENCE)
  await vi.waitFor(() => expect(counts()).toMatchObject({ taken: 1 }), PATIENCE)
  expect(counts()).not.toHaveProperty('refused')
})

it.runIf(ON_LINUX)('delivers what it took before its runtime was killed, even if nobody asks', async () => {
  const { send } = await serve()
  consume = () => new Promise(() => {})
  const bodies = Array.from({ length: 50 }, (_, index) => `m${index}`)
  expect(await send(...bodies)).toBe(200)
  killRuntime()
  consume = () => ({})
  // What had begun comes twice.
  await vi.waitFor(() => expect(Object.keys(counts()).toSorted()).toEqual(bodies.toSorted()), PATIENCE)
})

it.runIf(ON_LINUX)('a runtime that does not respond is ended, and the next one continues', async () => {
  const runtime = followRuntime()
  const { send, url } = await serve()
  const said = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const first = runtime()
  expect(await send('before')).toBe(200)
  // Only now: a busy machine keeps the runtime from answering for a while as well.
  first?.kill('SIGSTOP')
  const ask = (signal: AbortSignal) => askHealth(url.origin, signal)
  const end = () => {
    unwatch()
    runtime()?.kill('SIGKILL')
  }
  const unwatch = watchRuntime({ ask, end, everyMs: 200, silences: 3 })
  await vi.waitFor(async () => expect(await send('after')).toBe(200), PATIENCE)
  expect(first?.signalCode).toBe('SIGKILL')
  expect(runtime()?.pid).not.toBe(first?.pid)
  expect(said.mock.calls).toEqual([['The runtime has not answered for 0.6 s: it is ended and started again.']])
  said.mockRestore()
  await vi.waitFor(() => expect(counts()).toMatchObject({ before: 1, after: 1 }), PATIENCE)
})
