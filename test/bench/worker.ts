import { type Context, Hono } from 'hono'
import type { Event } from '../../src/base/event.ts'
import { readBody } from '../../src/collection/body.ts'
import { toTexts } from '../../src/collection/cells.ts'
import { toMessages } from '../../src/collection/message.ts'
import { toRows } from '../../src/collection/rows.ts'
import { storeStatements } from '../../src/collection/sql.ts'
import { withApiKey } from '../../src/http/api/api-key.ts'
import { databasesOf } from '../../src/http/api/with-context.ts'
import type { AppEnv } from '../../src/http/context.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { type CostEnv, countCost } from './cost-worker.ts'

/** @public The runtime starts it. */
export { CostObject } from './cost-object.ts'

/** The benchmark's own worker: what the service is compared with, and the hand that gives deliveries to its consumer. */
interface BenchEnv extends CostEnv {
  /** Holds one table, `events`, as the service's own but with nothing around it. */
  readonly BARE: D1Database
  readonly MAUVE: Service
}

/** The part of a service binding that delivers a queue's messages. */
interface Service {
  scheduled(options: { readonly cron: string }): Promise<{ outcome: string }>
  queue(queue: string, messages: readonly QueuedMessage[]): Promise<{ outcome: string; retryMessages: unknown[] }>
}

interface QueuedMessage {
  readonly id: string
  readonly timestamp: Date
  readonly attempts: number
  readonly body: string
}

/** Several deliveries of the queue, one after the other. */
export interface Deliveries {
  /** Plain, as servers send them. */
  readonly events: readonly unknown[]
  readonly applicationId: number
  readonly eventsPerMessage: number
  readonly messagesPerDelivery: number
}

export interface Timed {
  readonly milliseconds: number
}

export interface RowsWritten {
  readonly rows: number
}

const EVENTS_A_REQUEST = 500

type BenchContext = Context<{ Bindings: BenchEnv }>

const app = new Hono<{ Bindings: BenchEnv }>()

app.get('/bare', (c) => c.json({ status_code: 200, message: 'Success' }))
app.get('/key', checkKey)
app.put('/kv', async (c) => {
  await c.env.CACHE.put('bench', await c.req.text())
  return c.body(null, 204)
})
app.get('/kv', async (c) => c.json(await c.env.CACHE.get('bench', 'json')))
app.post('/deliver', deliver)
app.post('/cron', async (c) => c.json(await c.env.MAUVE.scheduled(await c.req.json())))
app.post('/insert', insert)
app.post('/rows-written', countRows)
app.post('/cost', (c) => countCost(c as unknown as Parameters<typeof countCost>[0]))
app.get('/users/:application', countUsers)

/** @public Wrangler starts here. */
export default app

/** The bare route behind the service's own check of the API key, with limits and all. */
function checkKey(c: BenchContext): Response | Promise<Response> {
  const context = c as unknown as Context<AppEnv>
  context.set('db', databasesOf(c.env.DB).db)
  context.set('now', Date.now())
  context.set('defer', (work) => c.executionCtx.waitUntil(work))
  const answer = () => c.json({ status_code: 200, message: 'Success' })
  const waiting = withApiKey(context, { header: 'authorization', scope: 'client', budget: 'configuration' })
  return waiting ? waiting.then(answer) : answer()
}

/** Gives deliveries to the service's consumer. */
async function deliver(c: BenchContext): Promise<Response> {
  const asked = await c.req.json<Deliveries>()
  const deliveries = deliveriesOf(asked).map((events) => toDelivery(events, asked))
  return c.json(await time(c.env, deliveries, (messages) => handOver(c.env.MAUVE, messages)))
}

const NOBODY = { country: null, city: null, os: null, brand: null, model: null }

/** The events of each delivery, as collection reads them. */
function deliveriesOf({ events, eventsPerMessage, messagesPerDelivery }: Deliveries): Event[][] {
  const arrival = { now: Date.now(), scope: 'full', sender: NOBODY, privateKey: () => '' } as const
  const read = chunks(events, EVENTS_A_REQUEST).flatMap((body) => readBody(body, arrival).events)
  return chunks(read, eventsPerMessage * messagesPerDelivery)
}

function toDelivery(events: Event[], { applicationId, eventsPerMessage }: Deliveries): QueuedMessage[] {
  return chunks(events, eventsPerMessage)
    .flatMap((some) => toMessages({ applicationId, scope: 'full' }, some))
    .map((body) => ({ id: crypto.randomUUID(), timestamp: new Date(), attempts: 1, body }))
}

async function handOver(service: Service, messages: readonly QueuedMessage[]): Promise<void> {
  const { outcome, retryMessages } = await service.queue('mauve-events', messages)
  if (outcome !== 'ok' || retryMessages.length > 0) throw new Error(`The consumer did not store a delivery: ${outcome}`)
}

const INSERT_EVENTS = `insert into events
  select ?1, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5 from json_each(?2)
  where true on conflict do nothing`

/** Inserts the same events into the bare table, as many at a time. */
async function insert(c: BenchContext): Promise<Response> {
  const asked = await c.req.json<Deliveries>()
  const batches = deliveriesOf(asked).map((events) => JSON.stringify(events.map(toBareRow)))
  const statement = c.env.BARE.prepare(INSERT_EVENTS)
  return c.json(await time(c.env, batches, (batch) => statement.bind(asked.applicationId, batch).run()))
}

const CONTEXTS = 5_000
const nameIds = new Map<string, number>()

/** Name and context as numbers, as the service stores them. */
function toBareRow({ name, time, telegramId, key, params }: Event) {
  if (!nameIds.has(name)) nameIds.set(name, nameIds.size)
  return [nameIds.get(name), time, telegramId, key, telegramId % CONTEXTS, params]
}

/** The clock of a worker stands still but for input and output, hence the question before the start. */
async function time<T>(env: BenchEnv, items: readonly T[], work: (item: T) => Promise<unknown>): Promise<Timed> {
  await env.BARE.prepare('select 1').run()
  const start = performance.now()
  for (const item of items) await work(item)
  return { milliseconds: performance.now() - start }
}

/** The rows that D1 bills for storing these events. */
async function countRows(c: BenchContext): Promise<Response> {
  const asked = await c.req.json<Deliveries>()
  const { applicationId } = asked
  const db = openDatabase(c.env.DB)
  const now = Date.now()
  const events = deliveriesOf(asked).flat()
  const rows = toRows(
    events.map((event) => ({ applicationId, scope: 'full', event })),
    now,
  )
  const results = await db.$client.batch(storeStatements(db, toTexts(rows), { number: 1, now }))
  return c.json({ rows: results.reduce((sum, { meta }) => sum + meta.rows_written, 0) } satisfies RowsWritten)
}

async function countUsers(c: BenchContext): Promise<Response> {
  const count = c.env.DB.prepare('select count(*) from users where application_id = ?')
  return c.json(await count.bind(c.req.param('application')).raw())
}

function chunks<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  )
}
