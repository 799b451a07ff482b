import { randomUUID } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import { expectFaults, get, needOwned, newUser, post } from './client.ts'

const PATH = '/v1/client/events'
const HOUR_MS = 3_600_000
const AHEAD_MS = 300_000

function serverEvent(changes: Record<string, unknown> = {}) {
  return { event_type: 'Order', telegram_id: newUser(), datetime: Date.now(), ...changes }
}

function clientEvent(changes: Record<string, unknown> = {}) {
  return {
    eventType: 'Order',
    telegramID: String(newUser()),
    timestamp: String(Math.floor(Date.now() / 1000)),
    ...changes,
  }
}

async function expectAccepted(response: Response, accepted: number): Promise<void> {
  expect(response.status).toBe(200)
  expect(await response.json()).toEqual({ status_code: 200, message: 'Success', accepted })
}

describe('a body (§Events, §Gaps)', () => {
  it('holds one event of either shape', async () => {
    await expectAccepted(await post(PATH, serverEvent()), 1)
    await expectAccepted(await post(PATH, clientEvent()), 1)
  })

  it('holds up to 500 events, of both shapes', async () => {
    await expectAccepted(await post(PATH, [serverEvent(), clientEvent()]), 2)
    await expectAccepted(
      await post(
        PATH,
        Array.from({ length: 500 }, () => serverEvent()),
      ),
      500,
    )
  })

  it('holds 1 to 500 events', async () => {
    const events = Array.from({ length: 501 }, () => serverEvent())
    await expectFaults(await post(PATH, events), { loc: ['body'], type: 'too_long' })
    await expectFaults(await post(PATH, []), { loc: ['body'], type: 'too_short' })
  })

  it.each(['5', 'true', 'null', '"text"'])('is an object or an array (%s)', async (body) => {
    await expectFaults(await post(PATH, body), { loc: ['body'], type: 'dict_type' })
  })

  it('is not empty', async () => expectFaults(await post(PATH, ''), { loc: ['body'], type: 'missing' }))

  it.each(['{', '[1,]', 'event=1'])('is JSON (%s)', async (body) => {
    const response = await post(PATH, body)
    expect(response.status).toBe(422)
    expect(await response.json()).toMatchObject({ detail: [{ type: 'json_invalid' }] })
  })

  it('names the fields that an event must have', async () => {
    await expectFaults(
      await post(PATH, {}),
      { loc: ['body', 'event_type'], type: 'missing' },
      { loc: ['body', 'telegram_id'], type: 'missing' },
    )
    await expectFaults(await post(PATH, { eventType: 'Order' }), { loc: ['body', 'telegramID'], type: 'missing' })
  })

  it('is taken whole or not at all; every bad item is named', async () => {
    const [utm, laterUtm] = [randomUUID(), randomUUID()]
    const good = serverEvent({ start_parameter: utm })
    const body = [good, 5, serverEvent({ telegram_id: 'x' }), serverEvent({ event_id: '', is_premium: 'yes' })]
    await expectFaults(
      await post(PATH, body),
      { loc: ['body', 1], type: 'dict_type' },
      { loc: ['body', 2, 'telegram_id'], type: 'int_parsing' },
      { loc: ['body', 3, 'event_id'], type: 'string_too_short' },
      { loc: ['body', 3, 'is_premium'], type: 'bool_type' },
    )
    await expectAccepted(await post(PATH, serverEvent({ start_parameter: laterUtm })), 1)
    await untilSeen(laterUtm)
    expect(await usersOf(utm)).toEqual([])
  })
})

async function usersOf(utm: string): Promise<unknown[]> {
  return ((await (await get(`/users/segmentation?utm=${utm}`)).json()) as { data: unknown[] }).data
}

function untilSeen(utm: string): Promise<void> {
  return vi.waitFor(async () => expect(await usersOf(utm)).toHaveLength(1), { timeout: 60_000, interval: 100 })
}

describe('a field', () => {
  it.each([
    ['event_type', 'an empty text', ''],
    ['event_type', '255 characters', 'a'.repeat(255)],
    ['event_id', '1 character', 'a'],
    ['event_id', '64 characters', 'a'.repeat(64)],
    ['telegram_id', 'digits', '7234567890'],
    ['telegram_id', '2^53-1', 2 ** 53 - 1],
    ['params', 'an object', { deep: [{ er: 1 }] }],
    ['params', 'null', null],
    ['wallet', 'an address', 'EQ1'],
    ['write_access', 'a boolean', false],
    ['country', 'a code', 'DE'],
    ['language', '128 characters', 'a'.repeat(128)],
    ['start_parameter', '512 characters', 'a'.repeat(512)],
    ['username', '1024 characters', 'a'.repeat(1024)],
    ['session_id', 'a number', 1_780_000_000_000],
  ])('%s takes %s', async (field, _, value) => {
    await expectAccepted(await post(PATH, serverEvent({ [field]: value })), 1)
  })

  it.each([
    ['event_type', 'string_type', null],
    ['event_type', 'string_type', 5],
    ['event_type', 'string_too_long', 'a'.repeat(256)],
    ['event_id', 'string_too_short', ''],
    ['event_id', 'string_too_long', 'a'.repeat(65)],
    ['event_id', 'string_type', 5],
    ['telegram_id', 'int_parsing', 0],
    ['telegram_id', 'int_parsing', -5],
    ['telegram_id', 'int_parsing', 2 ** 53],
    ['telegram_id', 'int_parsing', 1.5],
    ['telegram_id', 'int_parsing', 'lemon'],
    ['telegram_id', 'int_type', null],
    ['params', 'dict_type', 'text'],
    ['params', 'dict_type', [1]],
    ['is_premium', 'bool_type', 1],
    ['language', 'string_type', 5],
    ['language', 'string_too_long', 'a'.repeat(129)],
    ['start_parameter', 'string_too_long', 'a'.repeat(513)],
    ['datetime', 'value_error', 'yesterday'],
    ['datetime', 'value_error', '2026-02-31T00:00:00Z'],
    ['datetime', 'value_error', null],
  ])('%s refuses a wrong value with %s (%#)', async (field, type, value) => {
    await expectFaults(await post(PATH, serverEvent({ [field]: value })), { loc: ['body', field], type })
  })

  it.each(['params', 'junk'])('nests without end inside %s, and nothing breaks', async (field) => {
    const endless = '['.repeat(200_000) + ']'.repeat(200_000)
    const event = JSON.stringify(serverEvent({ [field]: { a: '$' } })).replace('"$"', endless)
    expect([200, 422]).toContain((await post(PATH, event)).status)
  })

  it('may be unknown to the service', async () => {
    await expectAccepted(await post(PATH, serverEvent({ colour: 'green' })), 1)
  })
})

describe('a time', () => {
  const fiveYearsAgo = new Date()
  fiveYearsAgo.setUTCFullYear(fiveYearsAgo.getUTCFullYear() - 5)

  it.each([
    ['in seconds', () => Math.floor(Date.now() / 1000)],
    ['in seconds, as text', () => String(Math.floor(Date.now() / 1000))],
    ['in milliseconds', () => Date.now()],
    ['in ISO 8601', () => new Date().toISOString()],
    ['in ISO 8601 with nanoseconds', () => new Date().toISOString().replace('Z', '456789Z')],
    ['almost 5 minutes ahead', () => Date.now() + AHEAD_MS - 30_000],
    ['almost 5 years ago', () => fiveYearsAgo.getTime() + HOUR_MS],
  ])('%s is taken', async (_, datetime) => {
    await expectAccepted(await post(PATH, serverEvent({ datetime: datetime() })), 1)
  })

  it.each([
    ['more than 5 minutes ahead', () => Date.now() + AHEAD_MS + 30_000],
    ['more than 5 years ago', () => fiveYearsAgo.getTime() - HOUR_MS],
  ])('%s is refused', async (_, time) => {
    const [datetime, timestamp] = [time(), time()]
    await expectFaults(await post(PATH, serverEvent({ datetime })), { loc: ['body', 'datetime'], type: 'value_error' })
    await expectFaults(await post(PATH, clientEvent({ timestamp })), {
      loc: ['body', 'timestamp'],
      type: 'value_error',
    })
  })
})

describe('an event that was sent twice counts once', () => {
  it.each([
    ['by its id, whatever else it says', { event_id: randomUUID() }, { event_type: 'Changed' }],
    ['by its content', {}, {}],
  ])('%s', async (_, identity, changes) => {
    const utm = randomUUID()
    const event = serverEvent({ ...identity, start_parameter: utm })
    await expectAccepted(await post(PATH, event), 1)
    await expectAccepted(await post(PATH, [event, { ...event, ...changes }]), 2)
    await expectAccepted(await post(PATH, serverEvent({ telegram_id: event.telegram_id, event_type: 'Last' })), 1)
    await vi.waitFor(async () => expect(await totalOf(utm)).toBe(2), { timeout: 60_000, interval: 100 })
  })
})

async function totalOf(utm: string): Promise<number | undefined> {
  const { data } = (await (await get(`/users/segmentation?utm=${utm}`)).json()) as { data: { total_events: number }[] }
  return data[0]?.total_events
}

describe('a sealed event', () => {
  it.for([
    { key: 'AA==', iv: 'AA==', body: 'AA==' },
    { key: '', iv: '', body: '' },
    { key: 'no base64!', iv: '🍋', body: '…' },
  ])('a sealed event that cannot be opened is refused as a whole (%#)', async (envelope, context) => {
    const headers = { 'x-api-key': needOwned(context).unopenedKey }
    for (const body of [envelope, JSON.stringify(JSON.stringify(envelope))]) {
      await expectFaults(await post(PATH, body, headers), { loc: ['body'], type: 'value_error' })
    }
  })
})
