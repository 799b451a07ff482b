import { env } from 'cloudflare:workers'
import { beforeAll, expect, it, vi } from 'vitest'
import type { CollectingScope } from '../../src/access/api-keys.ts'
import { generateKeyPair } from '../../src/accounts/applications/key-pair.ts'
import { readBody } from '../../src/collection/body.ts'
import { keyOfId } from '../../src/collection/identity.ts'
import { toMessages } from '../../src/collection/message.ts'
import {
  awaitEvents,
  dumpActivity,
  readChanges,
  readEvents,
  readSessions,
  type StoredEvent,
} from '../support/activity.ts'
import { createPlainApplication, createSealedApplication } from '../support/applications.ts'
import { createKey, postJson } from '../support/client.ts'
import { ARRIVAL, asObjects, deliver, messagesOf } from '../support/delivery.ts'
import { inFastTime, rejecting, silent, silentDatabase } from '../support/failures.ts'
import { sealInBrowser } from '../support/tracking-clients.ts'
import { listUsers } from '../support/user-list.ts'

const NOON = Math.floor(Date.now() / 86_400_000) * 86_400_000 - 43_200_000

function visit(place: number, parts: Record<string, unknown> = {}) {
  return {
    event_type: `visit ${place % 3}`,
    telegram_id: 1 + (place % 4),
    datetime: NOON + place * 1000,
    session_id: `s${place % 2}`,
    language: place % 2 ? 'en' : 'ru',
    params: { place },
    ...parts,
  }
}

function visits(count: number) {
  return Array.from({ length: count }, (_, place) => visit(place))
}

const POISON = '{"poison":true}'

/** Makes the database refuse an event, however good it looks, in the last statement of its batch. */
beforeAll(async () => {
  const refusal = `select raise(abort, 'no such event here')`
  const trigger = `create trigger refuse_poison before insert on events when new.params = '${POISON}' begin ${refusal}; end`
  await env.DB.prepare(trigger).run()
})

/** The queue message of one event that the database refuses. */
function poison(applicationId: number, name: string): string {
  return spoil(applicationId, name, (event) => ({ ...event, params: POISON }))
}

type Spoil = (event: Record<string, unknown>) => Record<string, unknown>

function spoil(applicationId: number, name: string, spoiled: Spoil): string {
  const [message] = messagesOf(applicationId, [visit(0, { event_type: name, language: 'tlh' })])
  const { events, ...rest } = JSON.parse(asObjects(message as string))
  return JSON.stringify({ ...rest, events: events.map(spoiled) })
}

function namesOf(events: readonly StoredEvent[]): string[] {
  return events.map(({ name }) => name)
}

/** A dead letter that contains this text, once it is in the database. */
function findDeadLetter(text: string): Promise<string> {
  const find = env.DB.prepare('select body from dead_letters where instr(body, ?) > 0').bind(text)
  return vi.waitFor(
    async () => {
      const body = await find.first<string>('body')
      if (body === null) throw new Error(`No dead letter holds ${text}`)
      return body
    },
    { timeout: 60_000, interval: 100 },
  )
}

/** A database that is out of reach from its n-th batch on; what it did before is real. */
function losing(fromBatch: number): D1Database {
  let batches = 0
  const batch: D1Database['batch'] = (statements) => {
    batches += 1
    return batches < fromBatch
      ? env.DB.batch(statements)
      : Promise.reject(new Error('D1_ERROR: Network connection lost.'))
  }
  return { prepare: (query: string) => env.DB.prepare(query), batch } as D1Database
}

/** A queue that takes nothing. */
const fullQueue = rejecting<Queue>('Queue is overloaded')

it('changes nothing when a delivery comes again, whole or in part', async () => {
  const { applicationId } = await createPlainApplication()
  const plain = messagesOf(applicationId, visits(20))
  const withIds = messagesOf(
    applicationId,
    visits(20).map((event, place) => ({ ...event, event_id: `id-${place}` })),
  )
  expect(await deliver([...plain, ...withIds])).toEqual({ acked: [0, 1], retried: [] })
  const stored = await dumpActivity(applicationId)
  expect(stored.events).toHaveLength(40)
  await deliver([...withIds, ...plain, ...plain])
  await deliver(messagesOf(applicationId, visits(7)))
  expect(await dumpActivity(applicationId)).toEqual(stored)
})

/** The messages of events that came over these quotas. */
function overQuotas(applicationId: number, events: readonly unknown[], spent: readonly string[]): string[] {
  return messagesOf(applicationId, events).map((text) => JSON.stringify({ ...JSON.parse(text), spent }))
}

it('stores no new name over the quota, and recognizes the event once its name is stored', async () => {
  const { applicationId, key } = await createPlainApplication()
  const known = visit(0)
  const made = visit(1, { event_type: 'made up' })
  await deliver(messagesOf(applicationId, [known]))
  const over = overQuotas(applicationId, [visit(3), made, { ...made, event_id: 'one' }], ['newNames'])
  await deliver(over)
  const names = () => readEvents(applicationId).then(namesOf)
  expect(await names()).toEqual(['visit 0', '(other)', '(other)', 'visit 0'])
  await deliver(messagesOf(applicationId, [visit(5, { event_type: 'made up' })]))
  const stored = await dumpActivity(applicationId)
  await deliver(over)
  await deliver(messagesOf(applicationId, [made, { ...made, event_id: 'one' }]))
  expect(await dumpActivity(applicationId)).toEqual(stored)
  expect((await names()).filter((name) => name === 'made up')).toHaveLength(1)
  expect((await listUsers(key)).reduce((sum, user) => sum + user.total_events, 0)).toBe(5)
})

it('makes no new context over the quota: the event goes without the property that is new, else without more', async () => {
  const { applicationId, key } = await createPlainApplication()
  const said = { telegram_id: 1, language: 'en', device: 'ios' }
  await deliver(messagesOf(applicationId, [visit(0, said), visit(1, { ...said, language: 'de', city: 'Bonn' })]))
  const over = [
    visit(2, said),
    visit(3, { ...said, start_parameter: 'made up' }),
    visit(4, { ...said, language: 'de', city: 'Bonn', model: 'made up' }),
    visit(5, { ...said, start_parameter: 'made up', model: 'made up' }),
    visit(6, { ...said, language: 'made up', verified: true }),
  ]
  await deliver(overQuotas(applicationId, over, ['newContexts']))
  const stored = (await readEvents(applicationId)).slice(2)
  expect(stored.map((event) => [event.language, event.device, event.city, event.model, event.start_parameter])).toEqual(
    [
      ['en', 'ios', null, null, null],
      ['en', 'ios', null, null, null],
      ['de', 'ios', 'Bonn', null, null],
      ['en', 'ios', null, null, null],
      [null, null, null, null, null],
    ],
  )
  expect(stored.at(-1)?.verified).toBe(1)
  expect(await listUsers(key)).toMatchObject([
    { language: 'made up', utm: 'made up', model: 'made up', total_events: 7 },
  ])
})

it('ignores changes in a resend under a known event_id', async () => {
  const { applicationId } = await createPlainApplication()
  await deliver(messagesOf(applicationId, [visit(0, { event_id: 'order-1' })]))
  const stored = await dumpActivity(applicationId)
  const anew = { event_id: 'order-1', datetime: NOON + 43_200_000, session_id: 'new', language: 'fr' }
  await deliver(messagesOf(applicationId, [visit(0, anew), visit(1, { ...anew, telegram_id: 1 })]))
  expect(await dumpActivity(applicationId)).toEqual(stored)
})

it('takes an event_id with another user, or of another application, for another event', async () => {
  const [one, other] = [await createPlainApplication(), await createPlainApplication()]
  const sent = [one, one, other].flatMap(({ applicationId }, index) =>
    messagesOf(applicationId, [visit(0, { event_id: 'order-1', telegram_id: 1 + (index % 2) })]),
  )
  await deliver(sent)
  await deliver(sent)
  const totalsOf = async (key: string) => (await listUsers(key)).map((user) => user.total_events)
  expect([await totalsOf(one.key), await totalsOf(other.key)]).toEqual([[1, 1], [1]])
})

it('knows an event again that was stored while its event_id belonged to no user', async () => {
  const { applicationId } = await createPlainApplication()
  const [message = ''] = messagesOf(applicationId, [visit(0, { event_id: 'order-1' })])
  const { events, ...rest } = JSON.parse(asObjects(message))
  const former = events.map(({ formerId, ...event }: { formerId: string }) => {
    return { ...event, id: formerId, key: keyOfId(formerId) }
  })
  await deliver([JSON.stringify({ ...rest, events: former })])
  const stored = await dumpActivity(applicationId)
  expect(stored.event_ids).toHaveLength(1)
  await deliver([message, ...messagesOf(applicationId, [visit(0, { event_id: 'order-1', datetime: NOON + 60_000 })])])
  expect(await dumpActivity(applicationId)).toEqual(stored)
})

it('knows an event again whose id release a465e32 stored in a row to itself', async () => {
  const { applicationId } = await createPlainApplication()
  const [message = ''] = messagesOf(applicationId, [visit(0, { event_id: 'page#7' })])
  const { formerId } = JSON.parse(asObjects(message)).events[0]
  const insert = env.DB.prepare('insert into event_ids (application_id, event_id) values (?, unhex(?))')
  await insert.bind(applicationId, formerId).run()
  const stored = await dumpActivity(applicationId)
  await deliver([message])
  expect(await dumpActivity(applicationId)).toEqual(stored)
})

/** Events of one user that share two rows of ids. */
function numbered(count: number, said: object = {}) {
  return visits(count).map((event, place) => ({ ...event, telegram_id: 1, event_id: `page#${place + 20}`, ...said }))
}

it('stores numbered ids of a user together, and recognizes each of them when it is resent', async () => {
  const { applicationId } = await createPlainApplication()
  for (const events of [numbered(20).slice(0, 3), numbered(20).slice(2, 15), numbered(20)]) {
    await deliver(messagesOf(applicationId, events))
  }
  const stored = await dumpActivity(applicationId)
  expect(stored.events).toHaveLength(20)
  expect(new Set(stored.event_ids?.map(({ members }) => members))).toEqual(new Set([2 ** 32 - 2 ** 20, 2 ** 8 - 1]))
  await deliver(messagesOf(applicationId, numbered(20, { event_type: 'changed', datetime: NOON - 1 })))
  expect(await dumpActivity(applicationId)).toEqual(stored)
  await deliver(messagesOf(applicationId, numbered(20, { telegram_id: 2 })))
  expect(await readEvents(applicationId)).toHaveLength(40)
})

it('counts each numbered id once where deliveries side by side have some of them in common', async () => {
  const { applicationId, key } = await createPlainApplication()
  const all = numbered(30)
  const late = all.map((event) => ({ ...event, datetime: event.datetime - 3_600_000 }))
  const parts = [all.slice(0, 14), late.slice(7, 22), all.slice(16)]
  const outcomes = await Promise.all(parts.map((events) => deliver(messagesOf(applicationId, events))))
  expect(outcomes.flatMap(({ retried }) => retried)).toEqual([])
  const stored = await readEvents(applicationId)
  expect(stored).toHaveLength(30)
  expect((await listUsers(key)).map(({ total_events }) => total_events)).toEqual([30])
})

it('takes the first of two events with one event_id in the same delivery', async () => {
  const { applicationId, key } = await createPlainApplication()
  const twice = [visit(0, { event_id: 'order-1' }), visit(1, { event_id: 'order-1', telegram_id: 1 })]
  await deliver(messagesOf(applicationId, twice))
  expect(namesOf(await readEvents(applicationId))).toEqual(['visit 0'])
  expect(await listUsers(key)).toMatchObject([{ telegram_id: 1, total_events: 1, total_sessions: 1, language: 'ru' }])
})

it('counts once where two deliveries of the same run side by side', async () => {
  const { applicationId, key } = await createPlainApplication()
  const events = visits(12).map((event, place) => (place % 2 ? event : { ...event, event_id: `id-${place}` }))
  const messages = messagesOf(applicationId, events)
  const outcomes = await Promise.all([deliver(messages), deliver(messages), deliver(messages)])
  expect(outcomes.flatMap(({ retried }) => retried)).toEqual([])
  expect(await readEvents(applicationId)).toHaveLength(12)
  expect((await listUsers(key)).map((user) => [user.total_events, user.total_sessions])).toEqual(Array(4).fill([3, 1]))
})

it('leaves no trace of what a delivery side by side says of another day or session under the same event_id', async () => {
  const { applicationId, key } = await createPlainApplication()
  const events = visits(8).map((event, place) => ({ ...event, event_id: `id-${place}` }))
  const others = events.map((event) => ({
    ...event,
    datetime: event.datetime - 86_400_000,
    session_id: 'x',
  }))
  await Promise.all([events, others].map((sent) => deliver(messagesOf(applicationId, sent))))
  const users = await listUsers(key)
  expect(users.reduce((sum, user) => sum + user.total_events, 0)).toBe(8)
  expect(users.filter((user) => user.total_events === 0)).toEqual([])
  // All of one delivery, nothing of the other.
  const [kept = [], ...more] = [
    ...Map.groupBy(await readSessions(applicationId), ({ session }) => session === 'x').values(),
  ]
  expect([kept.length > 0, more]).toEqual([true, []])
})

it('leaves no trace of a second event of an id in a delivery that is stored in portions', async () => {
  const { applicationId, key } = await createPlainApplication()
  const long = { text: '漢'.repeat(1000), more: '漢'.repeat(1000), most: '漢'.repeat(1000) }
  const filling = Array.from({ length: 250 }, (_, place) => visit(place, { telegram_id: 1, params: long }))
  const twice = [visit(0, { telegram_id: 1, event_id: 'one' }), visit(1, { telegram_id: 1, event_id: 'one' })]
  const [first, second] = twice
  expect((await deliver(messagesOf(applicationId, [first, ...filling, second]))).retried).toEqual([])
  expect((await listUsers(key)).map((user) => [user.telegram_id, user.total_events])).toEqual([[1, 251]])
})

it('stores a delivery in many scripts that is longer than a parameter of the database', async () => {
  const { applicationId, key } = await createPlainApplication()
  const params = Object.fromEntries(Array.from({ length: 7 }, (_, place) => [`k${place}`, `"ж🍋${'漢'.repeat(700)}`]))
  const events = Array.from({ length: 160 }, (_, place) => visit(place, { params: { ...params, place } }))
  const messages = messagesOf(applicationId, events)
  expect(messages.length).toBeGreaterThan(10)
  expect((await deliver(messages)).retried).toEqual([])
  const stored = await readEvents(applicationId)
  expect(stored.map((event) => JSON.parse(event.params as string))).toEqual(events.map((event) => event.params))
  expect((await listUsers(key)).map((user) => user.total_events)).toEqual([40, 40, 40, 40])
})

it('stores parameters to the letter', async () => {
  const { applicationId } = await createPlainApplication()
  const texts = [
    '{"":[1e+21,1e-7,-0.5,123456789012345680000],"a b":{"\\u0001\\n\\"\\\\/":[[],{},"",null,true]}}',
    '{"b":1,"a":"null","__proto__":{"я":"🍋\u2028"}}',
    '{"$":"$[0]","#":"\'","a\\tb":"\\t"}',
  ]
  const events = [
    ...texts.map((text, place) => visit(place, { params: JSON.parse(text) })),
    visit(3, { params: {} }),
    visit(4, { params: null }),
  ]
  await deliver(messagesOf(applicationId, events))
  expect((await readEvents(applicationId)).map(({ params }) => params)).toEqual([...texts, null, null])
})

it.each([
  ['parameters that the database refuses', { params: POISON }],
  ['a missing key', { key: null }],
  ['a missing time', { time: null }],
  ['properties that are none', { properties: null }],
  ['a property that is none', { properties: { language: 5 } }],
  ['an id that is no text of bytes', { id: 'zz' }],
])('puts aside an event with %s, and stores all others', async (_, parts) => {
  const { applicationId } = await createPlainApplication()
  const name = `poison ${applicationId}`
  const bad = spoil(applicationId, name, (event) => ({ ...event, ...parts }))
  const good = visits(9).flatMap((event) => messagesOf(applicationId, [event]))
  const outcome = await deliver([...good.slice(0, 4), bad, ...good.slice(4)])
  expect(outcome).toEqual({ acked: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], retried: [] })
  expect(namesOf(await readEvents(applicationId))).toEqual(visits(9).map((event) => event.event_type))
  expect(JSON.parse(await findDeadLetter(name))).toEqual(JSON.parse(bad))
})

it('leaves nothing of a batch behind that fails half-way', async () => {
  const { applicationId } = await createPlainApplication()
  await deliver([poison(applicationId, 'half-way')])
  const empty = { event_names: [], contexts: [], users: [], sessions: [], events: [], event_ids: [] }
  expect(await dumpActivity(applicationId)).toEqual(empty)
  expect(await readChanges(applicationId)).toEqual([])
})

it('puts aside the one bad event of a message and keeps its neighbours', async () => {
  const { applicationId } = await createPlainApplication()
  const [message] = messagesOf(applicationId, visits(5))
  const { events, ...rest } = JSON.parse(asObjects(message as string))
  events[2].time = null
  expect((await deliver([JSON.stringify({ ...rest, events })])).acked).toEqual([0])
  expect(namesOf(await readEvents(applicationId))).toEqual(['visit 0', 'visit 1', 'visit 0', 'visit 1'])
  expect(JSON.parse(await findDeadLetter(`"applicationId":${applicationId}`))).toEqual({ ...rest, events: [events[2]] })
})

it('puts aside messages that it cannot read, as they are', async () => {
  const { applicationId } = await createPlainApplication()
  const texts = [`not JSON ${applicationId}`, `{"version":0,"applicationId":${applicationId},"events":[]}`]
  const others = [{ unreadable: applicationId }, `[${applicationId},"list"]`]
  const outcome = await deliver([...texts, ...messagesOf(applicationId, [visit(0)]), ...others])
  expect(outcome).toEqual({ acked: [0, 1, 2, 3, 4], retried: [] })
  for (const text of [...texts, JSON.stringify(others[0]), String(others[1])]) {
    expect(await findDeadLetter(text)).toBe(text)
  }
  expect(await readEvents(applicationId)).toHaveLength(1)
})

it('leaves messages of a newer release to that release', async () => {
  expect(await deliver(['{"version":99,"applicationId":1,"events":[{}]}'])).toEqual({ acked: [], retried: [0] })
})

it('gives everything back while the database is out of reach, and stores it all later', async () => {
  const { applicationId } = await createPlainApplication()
  const messages = visits(6).flatMap((event) => messagesOf(applicationId, [event]))
  expect(await deliver(messages, { DB: losing(1) })).toEqual({ acked: [], retried: [0, 1, 2, 3, 4, 5] })
  expect(await readEvents(applicationId)).toEqual([])
  expect((await deliver(messages)).retried).toEqual([])
  expect(await readEvents(applicationId)).toHaveLength(6)
})

it.each(['D1_ERROR: Exceeded maximum DB size', 'D1_ERROR: database or disk is full: SQLITE_FULL'])(
  'keeps what a full database refuses (%s) for later, and puts nothing aside',
  async (words) => {
    const { applicationId } = await createPlainApplication()
    const messages = visits(3).flatMap((event) => messagesOf(applicationId, [event]))
    const batch = () => Promise.reject(new Error(words))
    const full = { prepare: (query: string) => env.DB.prepare(query), batch } as unknown as D1Database
    expect(await deliver(messages, { DB: full, DEAD_LETTERS: fullQueue })).toEqual({ acked: [], retried: [0, 1, 2] })
    expect((await deliver(messages)).retried).toEqual([])
    expect(await readEvents(applicationId)).toHaveLength(3)
  },
)

it('returns only what is not stored yet if the database becomes unavailable halfway', async () => {
  const { applicationId, key } = await createPlainApplication()
  const good = visits(3).flatMap((event) => messagesOf(applicationId, [event]))
  const messages = [...good, poison(applicationId, `lost ${applicationId}`)]
  const outcome = await deliver(messages, { DB: losing(3) })
  expect(outcome).toEqual({ acked: [0, 1], retried: [2, 3] })
  expect(await readEvents(applicationId)).toHaveLength(2)
  expect((await deliver(messages)).retried).toEqual([])
  expect((await listUsers(key)).map((user) => user.total_events)).toEqual([1, 1, 1])
  await findDeadLetter(`lost ${applicationId}`)
})

it('keeps a message that the dead-letter queue does not take', async () => {
  const { applicationId } = await createPlainApplication()
  const bad = poison(applicationId, `kept ${applicationId}`)
  const unreadable = `unreadable ${applicationId}`
  const messages = [bad, ...messagesOf(applicationId, [visit(0)]), unreadable]
  expect(await deliver(messages, { DEAD_LETTERS: fullQueue })).toEqual({ acked: [1], retried: [0, 2] })
})

it('keeps what a silent database or dead-letter queue does not take in time', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { applicationId } = await createPlainApplication()
  const messages = messagesOf(applicationId, [visit(0)])
  const unstored = await inFastTime(deliver(messages, { DB: silentDatabase() }))
  expect(unstored).toEqual({ answer: { acked: [], retried: [0] }, seconds: 10 })
  const unburied = await inFastTime(deliver(['unreadable', ...messages], { DEAD_LETTERS: silent() }))
  expect(unburied).toEqual({ answer: { acked: [1], retried: [0] }, seconds: 10 })
})

it('counts a sealed body that is sent twice once, also when its time is impossible', async () => {
  const { applicationId, key, publicKey } = await createSealedApplication()
  const session = { sessionIdentifier: '1', telegramID: '5' }
  const possible = sealInBrowser({ ...session, eventType: 'possible', timestamp: String(NOON / 1000) }, publicKey)
  const impossible = sealInBrowser({ ...session, eventType: 'impossible', timestamp: '0' }, publicKey)
  for (const body of [possible, impossible, possible, impossible]) {
    expect((await postJson('/v1/client/events', key, body)).status).toBe(200)
  }
  await awaitEvents(applicationId, 2)
  const stored = await dumpActivity(applicationId)
  await resend(key, [possible, impossible])
  expect(await dumpActivity(applicationId)).toEqual(stored)
  expect(await listUsers(key)).toMatchObject([{ telegram_id: 5, total_events: 2, total_sessions: 1 }])
})

/** Sends bodies once more, and waits until a later event of another application has come through the queue behind them. */
async function resend(key: string, bodies: readonly string[]): Promise<void> {
  for (const body of bodies) await postJson('/v1/client/events', key, body)
  const marker = await createPlainApplication()
  await postJson('/v1/client/events', marker.key, visit(0))
  await awaitEvents(marker.applicationId, 1)
}

it('lets good messages of the real queue through beside a poisonous one', async () => {
  const { applicationId, key } = await createPlainApplication()
  const good = visits(5).flatMap((event) => messagesOf(applicationId, [event]))
  const bad = poison(applicationId, `real ${applicationId}`)
  const unreadable = `unreadable, real ${applicationId}`
  const bodies = [...good.slice(0, 2), bad, unreadable, ...good.slice(2)]
  await env.EVENTS.sendBatch(bodies.map((body) => ({ body, contentType: 'text' as const })))
  expect(namesOf(await awaitEvents(applicationId, 5))).toEqual(visits(5).map((event) => event.event_type))
  expect(JSON.parse(await findDeadLetter(`real ${applicationId}"`))).toEqual(JSON.parse(bad))
  expect(await findDeadLetter(unreadable)).toBe(unreadable)
  expect((await listUsers(key)).map((user) => user.total_events).toSorted()).toEqual([1, 1, 1, 2])
  expect(await readSessions(applicationId)).toHaveLength(4)
})

it("a page's key cannot use up the ids of a server's events, whichever comes first", async () => {
  const { applicationId, key, accountId } = await createPlainApplication()
  const clientKey = await createKey(accountId, 'client', applicationId)
  const order = (parts: Record<string, unknown>) => ({ event_type: 'Order', telegram_id: 5, datetime: NOON, ...parts })
  const plain = order({ params: { amount: 7 } })
  await postJson('/v1/client/events', clientKey, [order({ event_id: 'order-1', telegram_id: 6 }), plain])
  await awaitEvents(applicationId, 2)
  for (let sending = 0; sending < 2; sending++) {
    await postJson('/v1/client/events', key, [order({ event_id: 'order-1' }), plain])
  }
  expect(await awaitEvents(applicationId, 4)).toHaveLength(4)
  const totals = (await listUsers(key)).map(({ telegram_id: id, total_events: total }) => [id, total])
  expect(totals.toSorted()).toEqual([
    [5, 3],
    [6, 1],
  ])
})

it('a sealed event of a client key from further back than 30 days takes the time of its arrival', async () => {
  const { publicKey, privateKey } = generateKeyPair()
  const event = { eventType: 'old', telegramID: '5', timestamp: String(NOON / 1000 - 31 * 86_400) }
  const body = JSON.parse(sealInBrowser(event, publicKey))
  const timeOf = (scope: CollectingScope) =>
    readBody(body, { ...ARRIVAL, scope, privateKey: () => privateKey }).events[0]?.time
  expect(timeOf('client')).toBe(ARRIVAL.now)
  expect(timeOf('full')).toBe(Number(event.timestamp) * 1000)
})

it('counts a sealed event of a fast clock once, though its time has become possible when it comes again', async () => {
  const { applicationId, key } = await createPlainApplication()
  const { publicKey, privateKey } = generateKeyPair()
  const ahead = Math.floor(Date.now() / 1000) + 600
  const event = { eventType: 'early', telegramID: '5', timestamp: String(ahead) }
  const body = JSON.parse(sealInBrowser(event, publicKey))
  for (const now of [Date.now(), ahead * 1000]) {
    const { events } = readBody(body, { ...ARRIVAL, now, privateKey: () => privateKey })
    await deliver(toMessages({ applicationId, scope: 'full' }, events))
  }
  expect(await listUsers(key)).toMatchObject([{ telegram_id: 5, total_events: 1 }])
})
