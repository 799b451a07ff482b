import { describe, expect, it } from 'vitest'
import type { CollectingScope } from '../../src/access/api-keys.ts'
import { type Fault, Invalid } from '../../src/base/errors.ts'
import { readBody } from '../../src/collection/body.ts'
import { createPlainApplication } from '../support/applications.ts'
import { postJson } from '../support/client.ts'
import { ARRIVAL } from '../support/delivery.ts'

const NOW = Date.UTC(2026, 10, 20, 10, 15, 30, 123)
const FIVE_MINUTES_MS = 300_000
const FIVE_YEARS_AGO = Date.UTC(2021, 10, 20, 10, 15, 30, 123)

function read(body: unknown, scope: CollectingScope = 'full') {
  return readBody(body, { ...ARRIVAL, now: NOW, scope }).events
}

/** Where a body is wrong, and how. */
function faultsOf(body: unknown, scope: CollectingScope = 'full'): [where: string, kind: string][] {
  try {
    read(body, scope)
    return []
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    return error.faults.map(({ loc, type }: Fault) => [loc.join('.'), type])
  }
}

function serverEvent(parts: Record<string, unknown> = {}) {
  return { event_type: 'purchase', telegram_id: 7_234_567_890, datetime: NOW, ...parts }
}

function clientEvent(parts: Record<string, unknown> = {}) {
  return { eventType: 'purchase', telegramID: '7234567890', timestamp: NOW, ...parts }
}

function serverEvents(count: number) {
  return Array.from({ length: count }, () => serverEvent())
}

it('reads both shapes as the same event, except for its identity', () => {
  const details = { startParameter: 'spring', path: '/shop', params: { amount: 5 } }
  const person = { username: 'lemon', firstName: 'Lea', lastName: 'Limon', isPremium: true, writeAccess: false }
  const client = clientEvent({
    userDetails: person,
    eventDetails: details,
    sessionIdentifier: 17,
    referrerType: 'private',
    eventSource: 'x',
  })
  const server = serverEvent({
    username: 'lemon',
    firstname: 'Lea',
    lastname: 'Limon',
    is_premium: true,
    write_access: false,
    start_parameter: 'spring',
    params: { amount: 5 },
    session_id: '17',
    referrer_type: 'private',
    event_source: 'x',
  })
  const [fromClient, fromServer] = read([client, server])
  expect(fromClient).toEqual({ ...fromServer, key: fromClient?.key })
  expect(fromServer).toMatchObject({ name: 'purchase', time: NOW, telegramId: 7_234_567_890, session: '17' })
})

it.each<[value: unknown, kind: string | null]>([
  [1, null],
  [2 ** 53 - 1, null],
  ['1', null],
  [' 12 ', null],
  ['9007199254740991', null],
  [0, 'int_parsing'],
  [-1, 'int_parsing'],
  [1.5, 'int_parsing'],
  [2 ** 53, 'int_parsing'],
  ['9007199254740992', 'int_parsing'],
  ['0', 'int_parsing'],
  ['', 'int_parsing'],
  ['1e3', 'int_parsing'],
  ['lemon', 'int_parsing'],
  [null, 'int_type'],
  [true, 'int_type'],
  [[1], 'int_type'],
  [undefined, 'missing'],
])('takes the user id %j, or says %j', (id, kind) => {
  expect(faultsOf(serverEvent({ telegram_id: id }))).toEqual(kind ? [['body.telegram_id', kind]] : [])
  expect(faultsOf(clientEvent({ telegramID: id }))).toEqual(kind ? [['body.telegramID', kind]] : [])
})

it.each<[value: unknown, kind: string | null]>([
  [NOW + FIVE_MINUTES_MS, null],
  [NOW + FIVE_MINUTES_MS + 1, 'value_error'],
  [FIVE_YEARS_AGO, null],
  [FIVE_YEARS_AGO - 1, 'value_error'],
  [new Date(FIVE_YEARS_AGO).toISOString(), null],
  [Math.floor(NOW / 1000), null],
  ['yesterday', 'value_error'],
  [null, 'value_error'],
  [{}, 'value_error'],
  [0, 'value_error'],
  [undefined, null],
])('takes the time %j, or says %j', (time, kind) => {
  expect(faultsOf(serverEvent({ datetime: time }))).toEqual(kind ? [['body.datetime', kind]] : [])
  expect(faultsOf(clientEvent({ timestamp: time }))).toEqual(kind ? [['body.timestamp', kind]] : [])
})

it.each<[field: string, value: unknown, kind: string | null]>([
  ['event_id', '', 'string_too_short'],
  ['event_id', 'x', null],
  ['event_id', '🍋'.repeat(64), null],
  ['event_id', 'x'.repeat(65), 'string_too_long'],
  ['event_id', 5, 'string_type'],
  ['event_id', null, null],
  ['event_type', '', null],
  ['event_type', '🍋'.repeat(255), null],
  ['event_type', 'x'.repeat(256), 'string_too_long'],
  ['event_type', null, 'string_type'],
  ['event_type', undefined, 'missing'],
  ['language', '🍋'.repeat(128), null],
  ['language', 'x'.repeat(129), 'string_too_long'],
  ['start_parameter', '🍋'.repeat(512), null],
  ['start_parameter', 'x'.repeat(513), 'string_too_long'],
  ['username', 'x'.repeat(1024), null],
  ['username', 'x'.repeat(1025), 'string_too_long'],
  ['is_premium', 'true', 'bool_type'],
  ['is_premium', null, null],
  ['session_id', 5, null],
  ['session_id', null, null],
  ['session_id', '🍋'.repeat(1024), null],
  ['session_id', 'x'.repeat(1025), 'string_too_long'],
  ['session_id', true, 'string_type'],
  ['params', null, null],
  ['params', {}, null],
  ['params', [], 'dict_type'],
  ['params', 'text', 'dict_type'],
  ['nobody_knows', { of: 'this' }, null],
])('takes %s %j, or says %j', (field, value, kind) => {
  expect(faultsOf(serverEvent({ [field]: value }))).toEqual(kind ? [[`body.${field}`, kind]] : [])
})

it('takes an event without a time as one of now, which is new each time it arrives unless it has an event_id', () => {
  const visit = serverEvent({ datetime: undefined })
  const arriving = (now: number, event: unknown) => readBody(event, { ...ARRIVAL, now }).events[0]
  expect(arriving(NOW, visit)).toMatchObject({ time: NOW, id: null })
  const [first, second] = readBody([visit, visit], { ...ARRIVAL, now: NOW }).events
  expect(first?.key).not.toBe(second?.key)
  expect(arriving(NOW, visit)?.key).not.toBe(arriving(NOW, visit)?.key)
  const known = { ...visit, event_id: 'order-1' }
  expect(arriving(NOW + 1, known)?.id).toBe(arriving(NOW, known)?.id)
})

describe('parameters', () => {
  /** What is kept of them, and what is said of the rest. */
  function keep(event: unknown) {
    const { events, leftOut } = readBody(event, { ...ARRIVAL, now: NOW })
    return { params: JSON.parse(events[0]?.params ?? 'null'), leftOut: leftOut.map(({ loc }) => loc.join('.')) }
  }

  it('hold texts of 1024 characters', () => {
    const params = { a: ['ok', { b: '🍋'.repeat(1024) }] }
    expect(keep(clientEvent({ eventDetails: { params } }))).toEqual({ params, leftOut: [] })
    const long = { a: ['ok', { b: `${'🍋'.repeat(1024)}!` }] }
    expect(keep([clientEvent({ eventDetails: { params: long } })])).toEqual({
      params,
      leftOut: ['body.0.eventDetails.params.a.1.b'],
    })
  })

  it('may nest without end, as anything else of an event', () => {
    const endless = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000))
    const { params, leftOut } = keep(serverEvent({ params: { endless, last: 2 }, nobody_knows: endless }))
    expect(params).toMatchObject({ last: 2 })
    expect(leftOut).toEqual([`body.params.endless${'.0'.repeat(15)}`])
    expect(faultsOf(clientEvent({ app: endless }))).toEqual([])
    expect(faultsOf(clientEvent({ language: endless }))).toEqual([['body.language', 'string_type']])
    expect(faultsOf(endless)).toEqual([['body.0', 'dict_type']])
  })

  it('are listed as left out a hundred times at most', () => {
    const params = Object.fromEntries(Array.from({ length: 99 }, (_, place) => [`k${place}`, 'x'.repeat(1025)]))
    const events = [serverEvent({ params }), serverEvent({ params })]
    expect(readBody(events, { ...ARRIVAL, now: NOW }).leftOut).toHaveLength(100)
  })

  it('parameters that were left out, in part or whole, are listed in the answer', async () => {
    const { key } = await createPlainApplication()
    const now = { datetime: Date.now() }
    const events = [serverEvent(now), serverEvent({ ...now, params: { blob: Array(10_000).fill(7), last: 1 } })]
    const response = await postJson('/v1/client/events', key, events)
    expect([response.status, await response.json()]).toEqual([
      200,
      {
        status_code: 200,
        message: 'Success',
        accepted: 2,
        left_out: [
          {
            loc: ['body', 1, 'params', 'blob'],
            msg: "Left out: at most 16384 bytes of JSON are kept of an event's parameters",
          },
        ],
      },
    ])
  })
})

it.each<[body: unknown, faults: [string, string][]]>([
  [undefined, [['body', 'missing']]],
  [null, [['body', 'dict_type']]],
  [5, [['body', 'dict_type']]],
  ['text', [['body', 'dict_type']]],
  ['[]', [['body', 'too_short']]],
  [[], [['body', 'too_short']]],
  [{}, ['event_type', 'telegram_id'].map((field) => [`body.${field}`, 'missing'])],
  [{ eventType: 'a' }, [['body.telegramID', 'missing']]],
  [
    [null, [serverEvent()]],
    [
      ['body.0', 'dict_type'],
      ['body.1', 'dict_type'],
    ],
  ],
])('says what is wrong with the body %j', (body, faults) => {
  expect(faultsOf(body)).toEqual(faults)
})

it('accepts less from a client key, which anyone can read in a page: 50 events, 30 days back', () => {
  const oldest = NOW - 30 * 86_400_000
  expect(read(serverEvents(50), 'client')).toHaveLength(50)
  expect(faultsOf(serverEvents(51), 'client')).toEqual([['body', 'too_long']])
  expect(read(serverEvent({ datetime: oldest }), 'client')).toHaveLength(1)
  expect(faultsOf(serverEvent({ datetime: oldest - 1 }), 'client')).toEqual([['body.datetime', 'value_error']])
  expect(faultsOf(clientEvent({ timestamp: oldest - 1 }), 'client')).toEqual([['body.timestamp', 'value_error']])
})

it('takes from 1 to 500 events', () => {
  expect(read(serverEvents(1))).toHaveLength(1)
  expect(read(serverEvents(500))).toHaveLength(500)
  expect(faultsOf(serverEvents(501))).toEqual([['body', 'too_long']])
})

it('names every fault of every bad item of an array', () => {
  const [two, client] = [{ telegram_id: 0, datetime: '2001-01-01' }, { eventDetails: { params: 5 } }]
  expect(faultsOf([serverEvent(), serverEvent(two), 'lemon', clientEvent(client)])).toEqual([
    ['body.1.telegram_id', 'int_parsing'],
    ['body.1.datetime', 'value_error'],
    ['body.2', 'dict_type'],
    ['body.3.eventDetails.params', 'dict_type'],
  ])
})

it('counts the items of a body before it looks at one', () => {
  expect(faultsOf(Array.from({ length: 500_000 }, () => 0))).toEqual([['body', 'too_long']])
})
