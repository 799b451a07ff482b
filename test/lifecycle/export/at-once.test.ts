import { evictDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, it, onTestFinished, vi } from 'vitest'
import { firstProgress } from '../../../src/lifecycle/erasure/begin.ts'
import { streamOf } from '../../../src/lifecycle/export/pieces.ts'
import { ExportSlots, MOST_EXPORTS } from '../../../src/lifecycle/export/slots.ts'
import { addJob } from '../../../src/lifecycle/jobs/statements.ts'
import { openDatabase } from '../../../src/storage/database.ts'
import { createPlainApplication } from '../../support/applications.ts'
import { getJson, request } from '../../support/client.ts'
import { deliver, messagesOf } from '../../support/delivery.ts'
import { exportLines } from '../../support/exports.ts'
import { databaseAway, requestWith } from '../../support/failures.ts'

const END = { cursor: null, isComplete: true }

async function* pieces(count: number) {
  for (let piece = 0; piece < count; piece += 1) yield `${piece}\n`
  return END
}

it('lets others in before each piece', async () => {
  const seen: string[] = []
  const pause = async () => void seen.push('pause')
  const stream = streamOf(pieces(3), { pause, end: () => void seen.push('end') })
  for await (const piece of stream) seen.push(new TextDecoder().decode(piece).trim())
  expect(seen).toEqual(['pause', '0', 'pause', '1', 'pause', '2', 'pause', 'end'])
})

it('says that it ended where it fails, and where its reader goes away before it reads', async () => {
  const [end, pause] = [vi.fn(), async () => undefined]
  const failing = (async function* () {
    yield 'half'
    throw new Error('the database is away')
  })()
  await expect(new Response(streamOf(failing, { end, pause })).text()).rejects.toThrow('the database is away')
  expect(end).toHaveBeenCalledOnce()
  await streamOf(pieces(3), { end, pause }).cancel()
  expect(end).toHaveBeenCalledTimes(2)
})

it('rests while a person is erased from its application, and then continues', async () => {
  const [{ key, applicationId }, other] = [await applicationWithEvents(), await applicationWithEvents()]
  const job = { kind: 'erase' as const, progress: firstProgress(1), now: 0 }
  await addJob(openDatabase(env.DB), { ...job, applicationId })
  const ended: string[] = []
  const exporting = [key, other.key].map((one) => exportLines(PATH, one).finally(() => ended.push(one)))
  await exporting[1]
  await scheduler.wait(100)
  expect(ended).toEqual([other.key])
  await env.DB.prepare('delete from jobs where application_id = ?').bind(applicationId).run()
  expect(await exporting[0]).toHaveLength(3)
})

it('has slots for each application and for all, which last as long as they are taken again', () => {
  const slots = new ExportSlots()
  const take = (id: string, applicationId: number, now = 0, accountId = `of ${applicationId}`) =>
    slots.take({ id, applicationId, accountId }, now)
  expect([take('a', 1), take('b', 1), take('c', 1), take('a', 1)]).toEqual([null, null, 'application', null])
  slots.giveBack('b')
  expect(take('c', 1)).toBe(null)
  const others = Array.from({ length: MOST_EXPORTS.service - 2 }, (_, index) => take(`other ${index}`, 2 + index))
  expect(new Set(others)).toEqual(new Set([null]))
  expect(take('d', 99)).toBe('service')
  expect([take('a', 1, 29_999), take('d', 99, 30_000), take('c', 1, 30_001)]).toEqual([null, null, null])
  expect(take('e', 1, 30_002)).toBe('application')
  const ofOne = Array.from({ length: 5 }, (_, index) => take(`f${index}`, 200 + index, 90_000, 'one'))
  expect(ofOne).toEqual([null, null, null, null, 'account'])
})

it('refuses a further export of an application, until one is read or its reader goes away', async () => {
  const { key } = await applicationWithEvents()
  const other = await applicationWithEvents()
  const [first, second] = [await getJson(PATH, key), await getJson(PATH, key)]
  const refused = await getJson('/export/users?limit=1', key)
  expect([refused.status, refused.headers.get('retry-after'), await refused.json()]).toEqual([
    429,
    '10',
    { detail: 'This application already has 2 exports running. Send the request again when one of them has ended.' },
  ])
  expect(await exportLines(PATH, other.key)).toHaveLength(3)
  await first.body?.cancel()
  await exportLines(PATH, key)
  expect((await textOf(second)).split('\n')).toHaveLength(5)
  expect(await Promise.all([exportLines(PATH, key), exportLines(PATH, key)])).toHaveLength(2)
})

it('gives back the slots of exports that fail, and all of them when their object restarts', async () => {
  const { key } = await applicationWithEvents()
  expect(await exportLines(PATH, key)).toHaveLength(3)
  const init = { headers: { 'x-api-key': key } }
  for (const _ of [1, 2, 3]) {
    expect((await requestWith({ DB: databaseAway() }, PATH, init)).status).toBe(503)
  }
  const unread = [await getJson(PATH, key), await getJson(PATH, key)]
  expect((await getJson(PATH, key)).status).toBe(429)
  await evictDurableObject(env.APPLICATIONS.getByName('exports'))
  expect(await exportLines(PATH, key)).toHaveLength(3)
  await Promise.all(unread.map(({ body }) => body?.cancel()))
})

it('ends with a cursor if the slot went to another export while nobody read', async () => {
  const { applicationId, key } = await applicationWithEvents()
  const response = await getJson(PATH, key)
  const slots = env.APPLICATIONS.getByName('exports')
  await evictDurableObject(slots)
  for (const id of ['a', 'b'])
    expect(await slots.takeExportSlot({ id, applicationId, accountId: 'somebody' })).toBe(null)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10_000 })
  onTestFinished(() => void vi.useRealTimers())
  const lines = (await textOf(response)).trim().split('\n')
  expect([lines.length, JSON.parse(lines.at(-1) ?? '').complete]).toEqual([4, false])
  for (const id of ['a', 'b']) await slots.giveBackExportSlot(id)
})

/** `text()` logs a warning for a type that it takes for no text. */
async function textOf(response: Response): Promise<string> {
  return new TextDecoder().decode(await response.arrayBuffer())
}

const PATH = '/export/events'

async function applicationWithEvents() {
  const application = await createPlainApplication()
  const events = [1, 2, 3].map((user) => ({ event_type: 'a', telegram_id: user, datetime: Date.now() - 60_000 }))
  await deliver(messagesOf(application.applicationId, events))
  return application
}

it('keep no slot for a HEAD, whose body nobody reads', async () => {
  const { key } = await applicationWithEvents()
  for (let asked = 0; asked <= MOST_EXPORTS.application; asked += 1) {
    const { status } = await request(PATH, { method: 'HEAD', headers: { 'x-api-key': key } })
    expect(status).toBe(200)
  }
})
