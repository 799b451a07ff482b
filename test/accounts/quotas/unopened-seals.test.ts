import { env } from 'cloudflare:workers'
import { expect, it, vi } from 'vitest'
import { readEvents } from '../../support/activity.ts'
import { createPlainApplication, createSealedApplication } from '../../support/applications.ts'
import { postJson } from '../../support/client.ts'
import { requestWith } from '../../support/failures.ts'
import { sealBytes, sealInBrowser } from '../../support/tracking-clients.ts'

const REPORTED = 20
const NOON = Date.UTC(2026, 10, 20, 12)
/** What opens, but is nothing that a client sends: forged parts of a captured event may come to it. */
const FORGED = [
  Buffer.from('{"eventType":"a","telegramID":"5","timestamp":1,"eventDetails":{"startParameter":"\u00e9"}}', 'latin1'),
  Buffer.from('{"x":1,"eventType":"a","telegramID":"5"}'),
  Buffer.from('{}'),
]
const SEALED = { eventType: 'a', telegramID: '5', timestamp: String(NOON / 1000) }

function send(key: string, body: unknown, bindings: Partial<Env> = {}): Promise<Response> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  return requestWith(bindings, '/v1/client/events', { method: 'POST', headers, body: JSON.stringify(body) })
}

it('are reported twenty times a day, then answered like any other, and never stored', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOON })
  const logged = vi.spyOn(console, 'log').mockImplementation(() => undefined)
  const { key, publicKey, applicationId } = await createSealedApplication()
  const good = JSON.parse(sealInBrowser(SEALED, publicKey))
  const bad = [
    { ...good, body: `AAAA${good.body.slice(4)}` },
    { ...good, key: good.iv, iv: good.key },
    ...FORGED.map((text) => JSON.parse(sealBytes(text, publicKey))),
  ]
  const nobody = JSON.parse(sealInBrowser({ eventType: 'nobody' }, publicKey))
  const statuses = [(await send(key, nobody)).status]
  const texts = new Set<string>()
  for (let index = 0; index < REPORTED + 2; index++) {
    const answer = await send(key, bad[index % bad.length])
    statuses.push(answer.status)
    if (index < REPORTED) texts.add(await answer.text())
  }
  expect(texts.size).toBe(1)
  statuses.push((await send(key, nobody)).status)
  expect(statuses).toEqual([422, ...Array(REPORTED).fill(422), 200, 200, 200])
  const [forged, real] = [await send(key, bad[0]), await send(key, good)]
  expect(await forged.json()).toEqual(await real.json())
  expect([...forged.headers.keys()]).toEqual([...real.headers.keys()])
  vi.setSystemTime(NOON + 11_000)
  await send(key, bad[0])
  const lines = logged.mock.calls.map(([line]) => JSON.parse(line)).filter(({ event }) => event === 'seals not opened')
  expect(lines.at(-1)).toEqual({
    level: 'info',
    event: 'seals not opened',
    application: applicationId,
    today: REPORTED + 4,
  })
  expect((await send(key, { key: 'only' })).status).toBe(422)
  vi.setSystemTime(NOON + 86_400_000)
  expect((await send(key, bad[0])).status).toBe(422)
  await vi.waitFor(async () => expect(await readEvents(applicationId)).toHaveLength(1), 60_000)
})

it('take as long as one that opens, at any size, once they are no longer reported; plain events do not wait', async () => {
  vi.spyOn(console, 'log').mockImplementation(() => undefined)
  const { key, publicKey } = await createSealedApplication()
  const large = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`p${index}`, index]))
  const good = JSON.parse(sealInBrowser({ ...SEALED, eventDetails: { params: large } }, publicKey))
  const bad = { ...good, body: `AAAA${good.body.slice(4)}` }
  for (let index = 0; index <= REPORTED; index++) await send(key, bad)
  const took = async (body: unknown) => {
    const start = performance.now()
    expect((await send(key, body)).status).toBe(200)
    return performance.now() - start
  }
  const forged = FORGED.map((text) => JSON.parse(sealBytes(text, publicKey)))
  for (const body of [good, bad, ...forged, JSON.stringify(bad)]) expect(await took(body)).toBeGreaterThan(240)
  const plain = { event_type: 'a', telegram_id: 5 }
  const waits = vi.spyOn(scheduler, 'wait')
  await took(plain)
  expect(waits).not.toHaveBeenCalled()
})

it('cost neither a queue message nor a call to the object once they are no longer reported', async () => {
  vi.spyOn(console, 'log').mockImplementation(() => undefined)
  const { key, publicKey } = await createSealedApplication()
  const { body, ...secrets } = JSON.parse(sealInBrowser(SEALED, publicKey))
  const bad = { ...secrets, body: `AAAA${body.slice(4)}` }
  for (let index = 0; index <= REPORTED; index++) await send(key, bad)
  const away = vi.fn(() => Promise.reject(new Error('Not to be asked')))
  const EVENTS = { sendBatch: away } as unknown as Queue
  const APPLICATIONS = { getByName: away } as unknown as Env['APPLICATIONS']
  expect((await send(key, bad, { EVENTS, APPLICATIONS })).status).toBe(200)
  expect(away).not.toHaveBeenCalled()
  expect((await send(key, { ...secrets, body }, { EVENTS })).status).toBe(503)
})

it('are not reported if the object that counts them is unavailable', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const { key, publicKey } = await createSealedApplication()
  const { body, ...secrets } = JSON.parse(sealInBrowser(SEALED, publicKey))
  const fail = () => Promise.reject(new Error('The object is away'))
  const APPLICATIONS = {
    getByName: () => ({ countUse: fail, countUnopenedSeals: fail }),
  } as unknown as Env['APPLICATIONS']
  expect((await send(key, { ...secrets, body: 'AAAA' }, { APPLICATIONS })).status).toBe(200)
  expect((await send(key, { ...secrets, body: 'AAAA' })).status).toBe(422)
})

it('a message without events, as earlier releases left it, is acknowledged immediately', async () => {
  const { key, applicationId } = await createPlainApplication()
  await env.EVENTS.send(`{"version":2,"applicationId":${applicationId},"scope":"client","events":[]}`, {
    contentType: 'text',
  })
  await postJson('/v1/client/events', key, { event_type: 'b', telegram_id: 5, datetime: Date.now() })
  await vi.waitFor(async () => expect(await readEvents(applicationId)).toHaveLength(1), 60_000)
})
