import { env } from 'cloudflare:workers'
import { randomUUID } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import { VERIFIED_ONLY } from '../../src/access/refusals.ts'
import { awaitEvents, dumpActivity } from '../support/activity.ts'
import { createSealedApplication } from '../support/applications.ts'
import { createKey, getJson, postJson, sendJson } from '../support/client.ts'
import { LEA, thirdPartyInitData } from '../support/init-data.ts'
import { settle } from '../support/objects.ts'
import { sealInBrowser } from '../support/tracking-clients.ts'

const BOT = 4711
const HOUR_MS = 3_600_000

/** An application with these settings, and keys that nobody has used yet. */
async function createWith(settings: Record<string, unknown>) {
  const { applicationId, accountId, handle, publicKey, key } = await createSealedApplication()
  const change = async (body: Record<string, unknown>) =>
    expect((await sendJson('PATCH', `/applications/${handle}`, { key, body })).status).toBe(200)
  await change(settings)
  const full = await createKey(accountId, 'full', applicationId)
  const client = await createKey(accountId, 'client', applicationId)
  return { applicationId, publicKey, change, full, client }
}

type Answer = readonly [status: number, said: unknown]

async function send(key: string, body: unknown): Promise<Answer> {
  const response = await postJson('/v1/client/events', key, body)
  const { detail, accepted } = await response.json<{ detail?: unknown; accepted?: number }>()
  return [response.status, detail ?? accepted]
}

function event(parts: Record<string, unknown> = {}) {
  return { event_type: 'a', datetime: Date.now(), event_id: randomUUID(), ...parts }
}

function batch(options: Partial<Parameters<typeof thirdPartyInitData>[0]> = {}) {
  return { init_data: thirdPartyInitData({ botId: BOT, ...options }), events: [event()] }
}

/** How many events there are, by whether they are verified. */
async function figuresOf(key: string): Promise<Record<string, number>> {
  const response = await getJson('/events/segmentation?event=_active&mode=totals&group_by=verified', key)
  const { yValues } = await response.json<{ yValues: { name: string; key_value: number }[] }>()
  return Object.fromEntries(yValues.map(({ name, key_value }) => [name, key_value]))
}

it('unchecked events of a page use up no quota of checked ones', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const { applicationId, client } = await createWith({ bot_id: BOT })
  const day = Math.floor(Date.now() / 86_400_000)
  const flood = { share: 'client', events: 10_000_000, newNames: 50_000, newUsers: 1_000_000 } as const
  await env.APPLICATIONS.getByName(String(applicationId)).countUse({ applicationId, day }, flood)
  await expect.poll(async () => (await send(client, event({ telegram_id: 5 })))[0]).toBe(429)
  expect(await send(client, batch())).toEqual([200, 1])
  const ofLea = async () => (await dumpActivity(applicationId)).events?.filter(({ telegram_id: id }) => id === LEA.id)
  await expect.poll(ofLea, { timeout: 60_000 }).toHaveLength(1)
})

it('refused events leave nothing, and change no figure', async () => {
  const { applicationId, full, client } = await createWith({ bot_id: BOT, init_data_hours: 2 })
  expect(await send(client, batch())).toEqual([200, 1])
  expect(await send(client, event({ telegram_id: 5 }))).toEqual([200, 1])
  const stored = await awaitEvents(applicationId, 2)
  expect(stored.map(({ telegram_id, verified }) => [telegram_id, verified])).toEqual(
    expect.arrayContaining([
      [LEA.id, 1],
      [5, null],
    ]),
  )
  await settle(applicationId)
  const before = await dumpActivity(applicationId)
  expect(await figuresOf(full)).toEqual({ true: 1, false: 1 })
  const good = batch()
  const refused: readonly (readonly [body: unknown, status: number])[] = [
    [batch({ botId: BOT + 1 }), 401],
    [batch({ openedAt: Date.now() - 3 * HOUR_MS }), 401],
    [{ ...good, init_data: good.init_data.replace('Lea', 'Eve') }, 401],
    [{ ...good, init_data: good.init_data.replace(/signature=[^&]*&/, '') }, 401],
    [{ ...good, events: [event(), event({ telegram_id: 5 })] }, 422],
    [{ ...good, events: [event(), event({ params: 'none' })] }, 422],
    [batch({ user: null }), 422],
  ]
  for (const key of [client, full]) {
    for (const [body, status] of refused) expect((await send(key, body))[0]).toBe(status)
  }
  await settle(applicationId)
  expect(await dumpActivity(applicationId)).toEqual(before)
  expect(await figuresOf(full)).toEqual({ true: 1, false: 1 })
})

it('a refusal explains the fault, and asks for init data', async () => {
  const { client } = await createWith({ bot_id: BOT })
  const response = await postJson('/v1/client/events', client, batch({ botId: 5 }))
  expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'InitData realm="mauve"'])
  expect(await response.json()).toEqual({
    detail:
      'This init data is not signed by the messenger for the bot 4711, which the application names as its bot_id.',
  })
})

it('a batch that is sent again counts once, also with another clock and other init data', async () => {
  const { applicationId, client } = await createWith({ bot_id: BOT })
  const now = Date.now()
  const events = [event({ datetime: now - HOUR_MS }), event({ datetime: now - HOUR_MS, event_id: undefined })]
  for (const [sent_at, openedAt] of [
    [now - HOUR_MS, now],
    [now - HOUR_MS + 3_000, now],
    [now - HOUR_MS - 3_000, now - HOUR_MS],
  ] as const) {
    expect(await send(client, { ...batch({ openedAt }), events, sent_at })).toEqual([200, 2])
  }
  await send(client, { ...batch(), events: [event({ event_type: 'last' })] })
  await vi.waitFor(
    async () => expect(await dumpActivity(applicationId)).toMatchObject({ event_names: [{}, {}] }),
    60_000,
  )
  const [first, second, last, ...more] = await awaitEvents(applicationId, 3)
  expect([last?.name, more]).toEqual(['last', []])
  for (const stored of [first, second]) expect(Math.abs((stored?.time ?? 0) - now)).toBeLessThan(10_000)
})

describe('an application that takes verified events only', () => {
  it('refuses all else that a client key sends, and nothing of a full key', async () => {
    const { applicationId, publicKey, full, client } = await createWith({ bot_id: BOT, verified_only: true })
    const sealed = sealInBrowser({ eventType: 'sealed', telegramID: '5', timestamp: Date.now() }, publicKey)
    const own = event({ telegram_id: 5 })
    const unverified = [sealed, JSON.stringify(sealed), own, [own], { events: [own] }, { events: [] }, {}, 5, '"x"']
    for (const body of unverified) expect(await send(client, body)).toEqual([403, VERIFIED_ONLY])
    expect(await send(client, { events: [own], init_data: null })).toEqual([403, VERIFIED_ONLY])
    expect((await send(client, { events: [own], init_data: 5 }))[0]).toBe(422)
    const ofPackage = await postJson('/events', client, [{ user_id: 5 }], { 'tga-auth-token': client })
    expect([ofPackage.status, await ofPackage.json()]).toEqual([403, { detail: VERIFIED_ONLY }])
    expect((await send(client, batch({ botId: 5 })))[0]).toBe(401)
    for (const body of [sealed, [own, event({ telegram_id: 6 })], { events: [event({ telegram_id: 7 })] }]) {
      expect((await send(full, body))[0]).toBe(200)
    }
    for (const key of [client, full]) expect(await send(key, batch())).toEqual([200, 1])
    const stored = await awaitEvents(applicationId, 6)
    const told = stored.map(({ telegram_id, verified }) => `${telegram_id} ${verified}`)
    expect(told.toSorted()).toEqual(['5 null', '5 null', '6 null', '7 null', `${LEA.id} 1`, `${LEA.id} 1`])
  })

  it('is so for everybody within 90 seconds, and so is another bot', async () => {
    const { change, client } = await createWith({})
    const start = Date.now()
    vi.useFakeTimers({ toFake: ['Date'], now: start })
    expect(await send(client, event({ telegram_id: 5 }))).toEqual([200, 1])
    await change({ bot_id: BOT, verified_only: true, init_data_hours: 1 })
    vi.setSystemTime(start + 90_000)
    expect(await send(client, event({ telegram_id: 5 }))).toEqual([403, VERIFIED_ONLY])
    expect(await send(client, batch())).toEqual([200, 1])
    await change({ bot_id: BOT + 1 })
    vi.setSystemTime(start + 180_000)
    expect((await send(client, batch()))[0]).toBe(401)
  })
})

it('events that are not verified need no new context', async () => {
  const { applicationId, full } = await createWith({ bot_id: BOT })
  const said = { language: 'de', is_premium: true, write_access: true }
  await send(full, event({ telegram_id: 5, ...said }))
  await awaitEvents(applicationId, 1)
  const fingerprint = '["de",true,null,null,null,null,null,null,null,true,null]'
  expect((await dumpActivity(applicationId)).contexts).toMatchObject([{ fingerprint, verified: null }])
  await send(full, batch())
  await awaitEvents(applicationId, 2)
  const { contexts = [] } = await dumpActivity(applicationId)
  expect(contexts.map((context) => context.fingerprint).toSorted()).toEqual([
    fingerprint.replace(']', ',true]'),
    fingerprint,
  ])
})
