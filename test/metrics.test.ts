import { createExecutionContext, createMessageBatch, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import worker from '../src/index.ts'
import { openDatabase } from '../src/storage/database.ts'
import { changes } from '../src/storage/schema.ts'
import { createPlainApplication } from './support/applications.ts'
import { messagesOf } from './support/delivery.ts'
import { databaseAway } from './support/failures.ts'

const METRICS_TOKEN = 'of-those-who-watch'

it('is for those who send the token only, and nowhere without one', async () => {
  expect((await ask('/metrics', { authorization: `Bearer ${METRICS_TOKEN}` }, {})).status).toBe(404)
  for (const authorization of ['', METRICS_TOKEN, 'Bearer ', 'Bearer other', `Basic ${METRICS_TOKEN}`]) {
    const refused = await ask('/metrics', { authorization })
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="mauve"'])
  }
})

it('counts requests and deliveries, from every isolate', async () => {
  const { applicationId, key } = await createPlainApplication()
  const before = await read()
  const names = '/events/names?start=20261101&end=20261101'
  for (const headers of [{ 'x-api-key': key }, { 'x-api-key': key }, { 'x-api-key': 'made up' }])
    await ask(names, headers)
  await deliver(messagesOf(applicationId, [EVENT]))
  const after = await read()
  const grown = (series: string) => (after.get(series) ?? 0) - (before.get(series) ?? 0)
  expect(grown('mauve_requests_total{operation="listEventNames",status="200"}')).toBe(2)
  expect(grown('mauve_requests_total{operation="listEventNames",status="401"}')).toBe(1)
  expect(grown('mauve_deliveries_total{queue="events",outcome="done"}')).toBe(1)
})

it('reports sizes of databases, waiting messages, and objects that are behind', async () => {
  const before = await read()
  expect(before.get('mauve_database_bytes{database="DB"}')).toBeGreaterThan(100_000)
  for (const queue of ['events', 'dead-letters', 'notifications']) {
    expect(before.get(`mauve_queue_messages{queue="${queue}"}`), queue).toBeGreaterThanOrEqual(0)
  }
  await addUnread(Date.now() - 30_000)
  await addUnread(Date.now() - 90_000)
  await env.DB.prepare("insert into dead_letters (body, put_aside_at) values ('{}', 0)").run()
  const after = await read()
  const grown = (series: string) => (after.get(series) ?? 0) - (before.get(series) ?? 0)
  expect(grown('mauve_objects_behind{database="DB"}')).toBe(1)
  expect(grown('mauve_dead_letters')).toBe(1)
  await env.DB.prepare('delete from dead_letters').run()
})

it('leaves out what does not respond', async () => {
  const found = await read({ ACTIVITY_2: databaseAway() } as Partial<Env>)
  expect(found.has('mauve_database_bytes{database="DB"}')).toBe(true)
  expect(found.has('mauve_database_bytes{database="ACTIVITY_2"}')).toBe(false)
})

const EVENT = { event_type: 'Opened', telegram_id: 1, datetime: Date.UTC(2026, 10, 1) }

/** Adds a change to an application whose object nobody wakes. */
async function addUnread(markedAt: number): Promise<void> {
  const applicationId = 900_000_000 + Math.floor(Math.random() * 1_000_000)
  const times = { bucket: 1, nameId: 1, fromTime: 1, toTime: 1, mark: 1, markedAt }
  await openDatabase(env.DB)
    .insert(changes)
    .values({ applicationId, objects: 1, part: 0, ...times })
}

async function ask(path: string, headers: Record<string, string>, bindings: Partial<Env> = { METRICS_TOKEN }) {
  const context = createExecutionContext()
  const request = new Request(`https://mauve.test${path}`, { headers })
  const response = await worker.fetch(request, { ...env, ...bindings }, context)
  await waitOnExecutionContext(context)
  return response
}

async function deliver(bodies: readonly string[]): Promise<void> {
  const context = createExecutionContext()
  const messages = bodies.map((body, place) => ({ id: String(place), timestamp: new Date(), attempts: 1, body }))
  const batch = createMessageBatch('mauve-events', messages) as MessageBatch
  await worker.queue(batch, { ...env, METRICS_TOKEN }, context)
  await waitOnExecutionContext(context)
}

/** The values by series. Every line must be one that Prometheus reads. */
async function read(bindings: Partial<Env> = {}): Promise<ReadonlyMap<string, number>> {
  const response = await ask('/metrics', { authorization: `Bearer ${METRICS_TOKEN}` }, { METRICS_TOKEN, ...bindings })
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  const text = await response.text()
  const found = new Map<string, number>()
  for (const line of text.trimEnd().split('\n')) {
    if (/^# (HELP mauve_\w+ .+|TYPE mauve_\w+ (counter|gauge))$/.test(line)) continue
    const [, series = '', value] = /^(mauve_\w+(?:\{\w+="[^"]*"(?:,\w+="[^"]*")*\})?) ([\d.]+)$/.exec(line) ?? []
    expect(series, line).not.toBe('')
    found.set(series, Number(value))
  }
  return found
}
