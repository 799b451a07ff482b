import { env } from 'cloudflare:workers'
import { afterEach, expect, it, vi } from 'vitest'
import { readEvents } from '../support/activity.ts'
import { createPlainApplication, createSealedApplication } from '../support/applications.ts'
import { postJson } from '../support/client.ts'
import { requestWith } from '../support/failures.ts'
import { sealInBrowser } from '../support/tracking-clients.ts'

const TOLD = 20
const NOON = Date.UTC(2026, 10, 20, 12)
const SEALED = { eventType: 'a', telegramID: '5', timestamp: String(NOON / 1000) }

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

function send(key: string, body: unknown, bindings: Partial<Env> = {}): Promise<Response> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  return requestWith(bindings, '/v1/client/events', { method: 'POST', headers, body: JSON.stringify(body) })
}

it('are told twenty times a day, then answered like any other, and never stored', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOON })
  const logged = vi.spyOn(console, 'log').mockImplementation(() => undefined)
  const { key, publicKey, applicationId } = await createSealedApplication()
  const good = JSON.parse(sealInBrowser(SEALED, publicKey))
  const bad = [
    { ...good, body: `AAAA${good.body.slice(4)}` },
    { ...good, key: good.iv, iv: good.key },
  ]
  const nobody = JSON.parse(sealInBrowser({ eventType: 'nobody' }, publicKey))
  const statuses = [(await send(key, nobody)).status]
  for (let place = 0; place < TOLD + 2; place++) statuses.push((await send(key, bad[place % bad.length])).status)
  statuses.push((await send(key, nobody)).status)
  expect(statuses).toEqual([422, ...Array(TOLD).fill(422), 200, 200, 200])
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
    today: TOLD + 4,
  })
  expect((await send(key, { key: 'only' })).status).toBe(422)
  vi.setSystemTime(NOON + 86_400_000)
  expect((await send(key, bad[0])).status).toBe(422)
  await vi.waitFor(async () => expect(await readEvents(applicationId)).toHaveLength(1), 60_000)
})

it('take as long as one that opens, however much it holds, once nobody is told', async () => {
  vi.spyOn(console, 'log').mockImplementation(() => undefined)
  const { key, publicKey } = await createSealedApplication()
  const large = Object.fromEntries(Array.from({ length: 20_000 }, (_, place) => [`p${place}`, place]))
  const good = JSON.parse(sealInBrowser({ ...SEALED, eventDetails: { params: large } }, publicKey))
  const bad = { ...good, body: `AAAA${good.body.slice(4)}` }
  for (let place = 0; place <= TOLD; place++) await send(key, bad)
  for (const body of [good, bad]) {
    const start = performance.now()
    expect((await send(key, body)).status).toBe(200)
    expect(performance.now() - start).toBeGreaterThan(240)
  }
})

it('whose count cannot be asked for are not told', async () => {
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

it('leave a message without events, which is done with at once', async () => {
  const { key, applicationId } = await createPlainApplication()
  await env.EVENTS.send(`{"version":1,"applicationId":${applicationId},"scope":"client","events":[]}`, {
    contentType: 'text',
  })
  await postJson('/v1/client/events', key, { event_type: 'b', telegram_id: 5, datetime: Date.now() })
  await vi.waitFor(async () => expect(await readEvents(applicationId)).toHaveLength(1), 60_000)
})
