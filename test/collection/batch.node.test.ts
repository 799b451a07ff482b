import { describe, expect, it } from 'vitest'
import { type Fault, Invalid } from '../../src/base/errors.ts'
import type { EventArrival } from '../../src/collection/arrival.ts'
import { readBatch, readBody } from '../../src/collection/body.ts'
import {
  INIT_DATA_PUBLIC_KEYS,
  LEA,
  type MessengerUser,
  RECORDED,
  signedForThirdParties,
  thirdPartyInitData,
} from '../support/init-data.ts'

const BOT = 4711
const NOW = Date.UTC(2026, 10, 20, 10, 15, 30, 123)
const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
const NO_SENDER = { country: null, city: null, os: null, brand: null, model: null }
const ARRIVAL: EventArrival = { now: NOW, sender: NO_SENDER, scope: 'client', privateKey: () => '' }

const CHECKED = { botId: BOT, initDataHours: 24, publicKeys: INIT_DATA_PUBLIC_KEYS }
const UNCHECKED = { ...CHECKED, botId: null }

type Options = Partial<EventArrival> & { readonly checking?: typeof CHECKED | typeof UNCHECKED }

async function read(body: Record<string, unknown>, { checking = CHECKED, ...arrival }: Options = {}) {
  const { events } = await readBatch(body, { arrival: { ...ARRIVAL, ...arrival }, checking })
  return events
}

/** Where a body is wrong, and how. */
async function faultsOf(body: Record<string, unknown>, options?: Options): Promise<string[]> {
  const error = await read(body, options).then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof Invalid)) throw error ?? new Error('nothing is wrong')
  return error.faults.map(({ loc, type }: Fault) => `${loc.join('.')}: ${type}`)
}

function opened(options: Partial<Parameters<typeof thirdPartyInitData>[0]> = {}): string {
  return thirdPartyInitData({ botId: BOT, openedAt: NOW - MINUTE_MS, ...options })
}

function event(parts: Record<string, unknown> = {}) {
  return { event_type: 'a', datetime: NOW, ...parts }
}

function eventsOf(count: number) {
  return Array.from({ length: count }, (_, place) => event({ event_id: String(place) }))
}

describe('init data', () => {
  it('identifies the user, whatever the events say', async () => {
    const said = { language: 'en', is_premium: false, username: 'x', start_parameter: 'x', referrer_type: 'x' }
    const init_data = opened({ chatType: 'supergroup', startParam: 'spring' })
    const bare = opened({ user: { id: 5, first_name: 'Bo' } })
    const [told] = await read({ init_data, events: [event({ ...said, device: 'ios' })] })
    expect(told?.telegramId).toBe(LEA.id)
    expect(told?.properties).toMatchObject({
      ...{ language: 'de', isPremium: true, startParameter: 'spring', referrerType: 'supergroup', writeAccess: true },
      ...{ username: 'lemon', firstname: 'Lea', lastname: 'Limon', verified: true, device: 'ios' },
    })
    const [silent] = await read({ init_data: bare, events: [event({ ...said, write_access: false })] })
    expect(silent?.properties).toMatchObject({
      ...{ language: null, isPremium: false, startParameter: null, referrerType: null, writeAccess: false },
      ...{ username: null, firstname: 'Bo', lastname: null, verified: true },
    })
  })

  it('names the chat by its type, or by the chat itself', async () => {
    const chat = JSON.stringify({ id: -5, type: 'channel', title: 'News' })
    const [event_] = await read({ init_data: opened({ fields: { chat } }), events: [event()] })
    expect(event_?.properties.referrerType).toBe('channel')
  })

  it.each([
    ['Мария', 'Иванова-Петровская'],
    ['محمد', 'الخوارزمي'],
    ['👩‍👩‍👧‍👦 = & + %', '🍋\u2028"\\/'],
    ['line\nbreak', 'tab\tstop'],
  ])('keeps the name %s %s whole', async (first_name, last_name) => {
    const user: MessengerUser = { id: 9, first_name, last_name }
    const [told] = await read({ init_data: opened({ user }), events: [event()] })
    expect([told?.properties.firstname, told?.properties.lastname]).toEqual(
      [first_name, last_name].map((name) => name.replace(/[\n\t]/g, ' ')),
    )
  })

  it('is taken in both shapes of events', async () => {
    const browser = { eventType: 'a', timestamp: NOW, userDetails: { username: 'x' } }
    const [told] = await read({ init_data: opened(), events: [browser] })
    expect(told).toMatchObject({ name: 'a', telegramId: LEA.id, properties: { username: 'lemon', verified: true } })
  })

  // Mauve's own client leaves the hash out, and writes blanks as +.
  it.each([
    ['as the messenger gave it', RECORDED.initData],
    ['without its hash', RECORDED.initData.replace(/&hash=.*/, '')],
    ['without its hash, written anew', `${new URLSearchParams(RECORDED.initData.replace(/&hash=.*/, ''))}`],
  ])('signed by the messenger itself is known, for its bot and in its environment: %s', async (_, initData) => {
    const body = { init_data: initData, events: [event({ datetime: RECORDED.openedAt })] }
    const check = (botId: number, publicKeys?: string) =>
      read(body, { now: RECORDED.openedAt, checking: { ...CHECKED, botId, publicKeys } as typeof CHECKED })
    const [told] = await check(RECORDED.botId)
    const { first_name: firstname, last_name: lastname, username } = RECORDED.user
    expect(told).toMatchObject({
      telegramId: RECORDED.user.id,
      properties: { firstname, lastname, username, language: 'ru', referrerType: 'private', verified: true },
    })
    await expect(check(RECORDED.botId + 1)).rejects.toThrow(`for the bot ${RECORDED.botId + 1}`)
    await expect(check(RECORDED.botId, 'test')).rejects.toThrow('not signed')
    for (const keys of ['test, production', 'production,', '']) {
      await expect(check(RECORDED.botId, keys)).resolves.toHaveLength(1)
    }
    await expect(check(RECORDED.botId, ',')).rejects.toThrow('not signed')
  })
})

const good = opened()
const otherUser = encodeURIComponent(JSON.stringify({ id: 1, first_name: 'Eve' }))
const linesAs = (text: string) => {
  const fields = Object.fromEntries(new URLSearchParams(good))
  const { signature = '', hash = '' } = fields
  return new URLSearchParams([...new URLSearchParams(text), ['signature', signature], ['hash', hash]]).toString()
}

const NOT_SIGNED =
  'This init data is not signed by the messenger for the bot 4711, which the application names as its bot_id.'
const TOO_OLD = "This init data is older than 24 hours, the application's init_data_hours. Open the mini-app anew."

/** Claims that only the messenger can make. */
const FORGED: readonly (readonly [what: string, initData: string, sentence: string])[] = [
  ['of another user', good.replace(/user=[^&]*/, `user=${otherUser}`), NOT_SIGNED],
  ['of a second user', `${good}&user=${otherUser}`, NOT_SIGNED],
  ['of another user before', `user=${otherUser}&${good}`, NOT_SIGNED],
  ['of another moment', good.replace(/auth_date=\d+/, `auth_date=${NOW / 1000}`), NOT_SIGNED],
  ['of another bot', thirdPartyInitData({ botId: BOT + 1, openedAt: NOW }), NOT_SIGNED],
  ['with one more field', `${good}&start_param=x`, NOT_SIGNED],
  ['without a field', good.replace(/chat_instance=\d+&/, ''), NOT_SIGNED],
  ['whose fields were joined', linesAs(joined(good)), NOT_SIGNED],
  ['without a signature', good.replace(/signature=[^&]*&/, ''), NOT_SIGNED],
  ['with an empty signature', good.replace(/signature=[^&]*/, 'signature='), NOT_SIGNED],
  ['whose signature is no base64', good.replace(/signature=[^&]*/, `signature=${'!'.repeat(86)}`), NOT_SIGNED],
  ['whose signature is too short', good.replace(/signature=[^&]*/, 'signature=AAAA'), NOT_SIGNED],
  ['with two signatures', `signature=${'A'.repeat(86)}&${good}`, NOT_SIGNED],
  ['with a hash alone', 'user=%7B%22id%22%3A1%7D&auth_date=1&hash=2174df5b', NOT_SIGNED],
  ['that is no init data', 'tomorrow', NOT_SIGNED],
  ['that is a broken text', '%', NOT_SIGNED],
  ['of no moment', opened({ fields: { auth_date: undefined } }), NOT_SIGNED],
  ['of a moment that is none', opened({ fields: { auth_date: 'NaN' } }), NOT_SIGNED],
  ['of a moment before all', opened({ fields: { auth_date: '-1' } }), NOT_SIGNED],
  ['of a moment with a fraction', opened({ fields: { auth_date: '1e9' } }), NOT_SIGNED],
  ['of a moment beyond all', opened({ fields: { auth_date: '9'.repeat(40) } }), NOT_SIGNED],
  ['of a moment to come', opened({ openedAt: NOW + HOUR_MS }), 'This init data is of a moment that has not come yet.'],
  ['of yesterday', opened({ openedAt: NOW - 25 * HOUR_MS }), TOO_OLD],
  ['of 1970', opened({ openedAt: 0 }), TOO_OLD],
]

/** Joins the lines into the value of a single field. */
function joined(initData: string): string {
  const fields = [...new URLSearchParams(initData)].filter(([name]) => name !== 'hash' && name !== 'signature')
  const [[first, ...rest] = []] = [fields.map(([name, value]) => `${name}=${value}`).toSorted()]
  const [name = '', ...value] = (first ?? '').split('=')
  return new URLSearchParams([[name, [value.join('='), ...rest].join('\n')]]).toString()
}

describe('init data that is checked', () => {
  it.each(FORGED)('%s is refused', async (_what, init_data, sentence) => {
    // Once before the good one is remembered, and once after.
    for (const text of [init_data, good, init_data]) {
      const taken = read({ init_data: text, events: [event()] })
      if (text === good) expect(await taken).toHaveLength(1)
      else await expect(taken).rejects.toMatchObject({ kind: 'not-verified', message: sentence })
    }
  })

  it.each([1, 24, 168])('may be exactly %i hours old', async (initDataHours) => {
    const openedAt = Math.floor(NOW / 1000) * 1000
    const body = { init_data: opened({ openedAt }), events: [event()] }
    const later = (ms: number) => ({
      now: openedAt + initDataHours * HOUR_MS + ms,
      checking: { ...CHECKED, initDataHours },
    })
    expect(await read(body, later(0))).toHaveLength(1)
    const words = initDataHours === 1 ? 'older than an hour,' : `older than ${initDataHours} hours,`
    await expect(read(body, later(1))).rejects.toThrow(words)
  })

  it('is checked again if the application names another bot or another age', async () => {
    const body = { init_data: opened({ openedAt: NOW - 2 * HOUR_MS }), events: [event()] }
    expect(await read(body)).toHaveLength(1)
    await expect(read(body, { checking: { ...CHECKED, initDataHours: 1 } })).rejects.toThrow('older than an hour')
    await expect(read(body, { checking: { ...CHECKED, botId: 4712 } })).rejects.toThrow('for the bot 4712')
    await expect(read(body, { checking: { ...CHECKED, publicKeys: 'production' } })).rejects.toThrow('not signed')
  })

  it('cannot be replayed in the name of another user', async () => {
    const names = [{ telegram_id: 1 }, { eventType: 'a', timestamp: NOW, telegramID: '1' }]
    const cut = { telegram_id: 2_147_483_647, application_id: '1' }
    const own = [{ telegram_id: LEA.id }, { telegram_id: String(LEA.id) }, { telegram_id: null }]
    expect(await read({ init_data: good, events: own.map(event) })).toMatchObject(
      own.map(() => ({ telegramId: LEA.id })),
    )
    expect(await faultsOf({ init_data: good, events: [event(), event(names[0]), names[1], event(cut)] })).toEqual([
      'body.events.1.telegram_id: value_error',
      'body.events.2.telegramID: value_error',
      'body.events.3.telegram_id: value_error',
    ])
  })

  it('init data for the id at which an older client cuts ids off belongs to that user', async () => {
    const init_data = opened({ user: { id: 2_147_483_647, first_name: 'Max' } })
    const [told] = await read({ init_data, events: [event({ application_id: '1' })] })
    expect(told?.telegramId).toBe(2_147_483_647)
  })

  it('names a user; if it does not, the fault says so', async () => {
    for (const user of [
      '',
      'null',
      '{}',
      '[]',
      '{"id":"1"}',
      '{"id":0}',
      '{"id":1.5}',
      '{"id":9007199254740993}',
      '{',
    ]) {
      const init_data = signedForThirdParties(BOT, { auth_date: String(Math.floor(NOW / 1000)), user })
      expect(await faultsOf({ init_data, events: [event()] })).toEqual(['body.init_data: value_error'])
    }
    expect(await faultsOf({ init_data: opened({ user: null }), events: [] })).toEqual(['body.init_data: value_error'])
  })
})

it('init data of an application without a bot is believed, and proves nothing', async () => {
  const [told] = await read({ init_data: `user=${otherUser}`, events: [event()] }, { checking: UNCHECKED })
  expect(told).toMatchObject({ telegramId: 1, properties: { firstname: 'Eve', isPremium: false, verified: null } })
  const nobody = { init_data: 'tomorrow', events: [event()] }
  expect(await faultsOf(nobody, { checking: UNCHECKED })).toEqual(['body.init_data: value_error'])
})

it('no sender can declare an event verified', async () => {
  const [bare] = await read({ events: [event({ telegram_id: 1, verified: true })] })
  const [plain] = readBody([event({ telegram_id: 1, verified: true, userDetails: { verified: true } })], ARRIVAL).events
  expect([bare?.properties.verified, plain?.properties.verified]).toEqual([null, null])
})

describe('a body', () => {
  it.each([
    ['without events', { events: [] }, ['body.events: too_short']],
    ['with init data alone', { init_data: good }, ['body.events: missing']],
    ['whose events are none', { init_data: good, events: {} }, ['body.events: list_type']],
    ['with init data and without events', { init_data: good, events: [] }, ['body.events: too_short']],
    ['whose init data is a number', { init_data: 5, events: [event()] }, ['body.init_data: string_type']],
    ['whose init data is empty', { init_data: '', events: [event()] }, ['body.init_data: string_too_short']],
    [
      'whose init data is too long',
      { init_data: 'x'.repeat(8193), events: [event()] },
      ['body.init_data: string_too_long'],
    ],
    ['whose init data has a NUL', { init_data: 'a\0', events: [event()] }, ['body.init_data: value_error']],
    ['without init data and users', { events: [event()] }, ['body.events.0.telegram_id: missing']],
    [
      'with a field that is not known',
      { init_data: good, sent_at: 'soon', more: 1, events: [event()] },
      ['body.sent_at: value_error', 'body.more: extra_forbidden'],
    ],
    [
      'with wrong events',
      {
        init_data: good,
        sent_at: {},
        events: [event({ params: 5 }), event(), null, event({ datetime: 'x', language: 5 })],
      },
      [
        'body.sent_at: value_error',
        'body.events.0.params: dict_type',
        'body.events.2: dict_type',
        'body.events.3.datetime: value_error',
        'body.events.3.language: string_type',
      ],
    ],
  ] as [string, Record<string, unknown>, string[]][])('%s is told all that is wrong', async (_what, body, faults) => {
    expect(await faultsOf(body)).toEqual(faults)
  })

  it.each(['full', 'client'] as const)('with init data holds up to 500 events, also of a %s key', async (scope) => {
    expect(await read({ init_data: good, events: eventsOf(500) }, { scope })).toHaveLength(500)
    expect(await faultsOf({ init_data: good, events: eventsOf(501) }, { scope })).toEqual(['body.events: too_long'])
  })

  it('a body without init data holds what an array does', async () => {
    const events = eventsOf(501).map((one) => ({ ...one, telegram_id: 1 }))
    const most = (scope: 'full' | 'client', count: number) => read({ events: events.slice(0, count) }, { scope })
    for (const [scope, count] of [
      ['full', 500],
      ['client', 50],
    ] as const) {
      expect(await most(scope, count)).toHaveLength(count)
      await expect(most(scope, count + 1)).rejects.toThrow(Invalid)
    }
  })

  it('names what was left out of an event by its place', async () => {
    const body = { init_data: good, events: [event(), event({ params: { text: 'x'.repeat(1025) } })] }
    const { leftOut } = await readBatch(body, { arrival: ARRIVAL, checking: CHECKED })
    expect(leftOut.map(({ loc }) => loc.join('.'))).toEqual(['body.events.1.params.text'])
  })
})

describe('the clock of a sender', () => {
  it.each([
    ['an hour behind', -HOUR_MS, 0],
    ['an hour ahead', HOUR_MS, 0],
    ['years behind', -1_600_000_000_000, 0],
    ['a minute and a bit ahead', MINUTE_MS + 1, 0],
    ['a minute ahead', MINUTE_MS, MINUTE_MS],
    ['right', 0, 0],
  ])('%s', async (_, off, kept) => {
    const body = { init_data: good, sent_at: NOW + off, events: [event({ datetime: NOW + off - 1_000 })] }
    expect((await read(body)).map(({ time }) => time)).toEqual([NOW + kept - 1_000])
  })

  it('may be written like the time of an event', async () => {
    for (const sent_at of [new Date(NOW - HOUR_MS).toISOString(), String(NOW - HOUR_MS), null]) {
      const [told] = await read({ init_data: good, sent_at, events: [event({ datetime: NOW - HOUR_MS })] })
      expect(told?.time).toBe(sent_at === null ? NOW - HOUR_MS : NOW)
    }
  })

  it('does not excuse a time that is impossible by it', async () => {
    const events = [event({ datetime: NOW }), event({ datetime: NOW - 40 * 24 * HOUR_MS })]
    expect(await faultsOf({ init_data: good, sent_at: NOW - HOUR_MS, events })).toEqual([
      'body.events.0.datetime: value_error',
      'body.events.1.datetime: value_error',
    ])
  })

  it("a sender's clock, and how long its request took, do not change how an event is identified", async () => {
    const datetime = NOW - HOUR_MS
    const events = [event({ event_id: 'x', datetime }), event({ datetime })]
    const [one, two] = await Promise.all(
      [0, 5_000].map((later) => read({ init_data: good, sent_at: NOW - HOUR_MS, events }, { now: NOW + later })),
    )
    expect(one?.map(({ id, claimsId }) => [id, claimsId])).toEqual(two?.map(({ id }) => [id, true]))
    const other = await read({
      init_data: opened({ user: { id: 5, first_name: 'Bo' } }),
      sent_at: NOW - HOUR_MS,
      events,
    })
    expect(other[1]?.id).not.toBe(one?.[1]?.id)
  })
})
