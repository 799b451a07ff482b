import { constants, publicEncrypt } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { awaitEvents, dumpActivity, readSessions, readWallets } from '../support/activity.ts'
import { createSealedApplication, type SealedApplication } from '../support/applications.ts'
import { postJson, request } from '../support/client.ts'
import { goEvents, nodeEvents, python02Events, python04Events } from '../support/recorded-events.ts'
import {
  type Seal,
  sealAsString,
  sealInBrowser,
  sealWithHexSecrets,
  sealWithRawSecrets,
} from '../support/tracking-clients.ts'
import { listStoredUsers } from '../support/user-list.ts'

const EDGE = { country: 'DE', city: 'Berlin' }
const SAMSUNG =
  'Mozilla/5.0 (Linux; Android 14; SM-S918B) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36'
const BROWSER = { origin: 'https://shop.example', 'user-agent': SAMSUNG }
const USER = 7_234_567_890
const SECOND = Math.floor(Date.now() / 1000) - 60
const SECOND_MS = SECOND * 1000
const SECOND_ISO = new Date(SECOND_MS).toISOString()

/** POSTs a body as it is, from a place that the edge knows. */
function send(key: string, body: string, headers: Record<string, string> = {}): Promise<Response> {
  return request('/v1/client/events', {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json', ...headers },
    body,
    cf: EDGE as never,
  })
}

async function sendSealed({ key, publicKey }: SealedApplication, events: unknown[], client: Client): Promise<void> {
  for (const event of events) {
    const response = await send(key, client.seal(event, publicKey), client.headers)
    expect([response.status, await response.json()]).toEqual([
      200,
      { status_code: 200, message: 'Success', accepted: 1 },
    ])
  }
}

interface Client {
  readonly seal: Seal
  readonly headers?: Record<string, string>
}

const REACT: Client = { seal: sealInBrowser, headers: BROWSER }
const NODE: Client = { seal: sealWithHexSecrets }
const GO: Client = { seal: sealWithHexSecrets, headers: { 'user-agent': 'Go-http-client/1.1' } }
/** Claims to be a browser, but names no origin. */
const DOTNET: Client = {
  seal: sealWithRawSecrets,
  headers: {
    'user-agent':
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36',
  },
}
const PYTHON_0_2: Client = { seal: sealAsString, headers: { 'user-agent': 'python-requests/2.34.2' } }
const PYTHON: Client = { seal: sealWithHexSecrets, headers: { 'user-agent': 'python-requests/2.34.2' } }

/** An event as browsers, .NET and Python write it. */
function clientEvent(parts: Record<string, unknown> = {}) {
  return {
    eventType: 'Session start',
    userDetails: { username: 'lemon', firstName: 'Lea', lastName: '', isPremium: true, writeAccess: false },
    eventDetails: { startParameter: 'spring', path: '/', params: { first: 1 } },
    telegramID: String(USER),
    language: 'en',
    device: 'ios',
    referrerType: 'N/A',
    referrer: '0',
    timestamp: String(SECOND),
    isAutocapture: false,
    sessionIdentifier: '1763630130123',
    eventSource: 'telemetree_twa',
    ...parts,
  }
}

const NOBODY = {
  telegram_id: USER,
  language: null,
  utm: null,
  is_premium: null,
  first_active_at: SECOND_ISO,
  country: null,
  city: null,
  total_events: 1,
  total_sessions: 0,
  username: null,
  firstname: null,
  lastname: null,
  last_active_at: SECOND_ISO,
  device: null,
  brand: null,
  model: null,
}

describe.concurrent('published clients', () => {
  it("React: a session start has the user and the browser's place", async () => {
    const application = await createSealedApplication()
    await sendSealed(application, [clientEvent()], REACT)
    const events = await awaitEvents(application.applicationId, 1)
    expect(await listStoredUsers(application.key)).toEqual([
      {
        ...NOBODY,
        language: 'en',
        utm: 'spring',
        is_premium: true,
        country: 'Germany',
        city: 'Berlin',
        total_sessions: 1,
        username: 'lemon',
        firstname: 'Lea',
        device: 'ios',
        brand: 'Samsung',
        model: 'SM-S918B',
      },
    ])
    expect(events).toMatchObject([
      {
        name: 'Session start',
        time: SECOND_MS,
        telegram_id: USER,
        params: '{"first":1}',
        referrer_type: null,
        os: 'Android',
        write_access: 0,
        start_parameter: 'spring',
      },
    ])
    expect(await readSessions(application.applicationId)).toMatchObject([
      { telegram_id: USER, session: '1763630130123' },
    ])
  })

  it('React: names stripped bare count as unnamed, a transaction without its brackets counts', async () => {
    const application = await createSealedApplication()
    const signed = {
      messages: [
        { address: 'a', amount: '250' },
        { address: 'b', amount: '1000000000' },
      ],
    }
    const events = [
      clientEvent({ eventType: '' }),
      clientEvent({ eventType: ' \t ' }),
      clientEvent({ eventType: 'TS Transaction signed', eventDetails: { params: signed } }),
      clientEvent({ eventType: 'TS ClickTSBuy now', wallet: null }),
    ]
    await sendSealed(application, events, REACT)
    const stored = await awaitEvents(application.applicationId, 4)
    expect(stored.map(({ name }) => name)).toEqual([
      '(unnamed)',
      '(unnamed)',
      'TS ClickTSBuy now',
      'TS Transaction signed',
    ])
    expect(await readWallets(application.applicationId)).toMatchObject([{ provider: null, curr_volume: 1_000_000_250 }])
    expect(await listStoredUsers(application.key)).toMatchObject([{ total_events: 4, total_sessions: 1 }])
  })

  it('pixel: the older shape with `app`, punctuation and a wallet', async () => {
    const application = await createSealedApplication()
    const wallet = { wallet: 'UQ…', provider: 'Tonkeeper', chain: '-239', balance: '12.5' }
    const events = [
      clientEvent({ app: 'shop', eventType: '[TS] Click | Купить', isAutocapture: true, referrerType: 'supergroup' }),
      clientEvent({ app: 'shop', eventType: 'Wallet', eventDetails: { params: wallet } }),
    ]
    await sendSealed(application, events, { seal: sealInBrowser, headers: BROWSER })
    const stored = await awaitEvents(application.applicationId, 2)
    expect(stored).toMatchObject([
      { name: 'Wallet', params: JSON.stringify(wallet) },
      { name: '[TS] Click | Купить', referrer_type: 'supergroup' },
    ])
    expect(await readWallets(application.applicationId)).toMatchObject([
      { provider: 'Tonkeeper', curr_balance: 12.5, curr_volume: 0 },
    ])
  })

  it('Node 0.5.3: application_id has the true user, and the session means nothing', async () => {
    const application = await createSealedApplication()
    await sendSealed(application, nodeEvents(SECOND_ISO.replace('.000Z', '.000123456Z')), NODE)
    const stored = await awaitEvents(application.applicationId, 2)
    expect(stored.map(({ name, time }) => [name, time])).toEqual([
      ['Purchase', SECOND_MS],
      ['message', SECOND_MS],
    ])
    expect(await listStoredUsers(application.key)).toEqual([
      { ...NOBODY, total_events: 2, language: 'en', is_premium: true, username: 'lemon', firstname: 'Lea' },
    ])
    expect(await readSessions(application.applicationId)).toEqual([])
  })

  it('Go: Unix seconds, and a new session on every event that is worth nothing', async () => {
    const application = await createSealedApplication()
    await sendSealed(application, goEvents(SECOND), GO)
    const stored = await awaitEvents(application.applicationId, 2)
    expect(stored[0]?.referrer_type).toBe('private')
    expect(await listStoredUsers(application.key)).toEqual([
      {
        ...NOBODY,
        total_events: 2,
        language: 'en',
        is_premium: true,
        username: 'lemon',
        firstname: 'Lea',
      },
    ])
    expect(await readSessions(application.applicationId)).toEqual([])
  })

  it('.NET: raw secrets and a numeric timestamp; its sessions count, its user agent is ignored', async () => {
    const application = await createSealedApplication()
    const eventDetails = { startParameter: '/start spring', path: '', params: {} }
    const event = clientEvent({ timestamp: SECOND, eventSource: 'telemetree_net', device: 'unknown', eventDetails })
    await sendSealed(application, [event], DOTNET)
    await awaitEvents(application.applicationId, 1)
    expect(await listStoredUsers(application.key)).toEqual([
      {
        ...NOBODY,
        language: 'en',
        utm: 'spring',
        is_premium: true,
        total_sessions: 1,
        username: 'lemon',
        firstname: 'Lea',
        device: 'unknown',
      },
    ])
  })

  it('Python 0.4.0 in Kathmandu: the call’s moment, no session, no application', async () => {
    const application = await createSealedApplication()
    const local = new Date(SECOND_MS + 123 + 345 * 60_000).toISOString().replace('Z', '456')
    const events = python04Events({ datetime: local, session_id: SECOND_MS + 123 })
    await sendSealed(application, events, PYTHON)
    const stored = await awaitEvents(application.applicationId, 3)
    expect(stored.map(({ name, time, params }) => [name, time, params])).toEqual([
      ['Purchase', SECOND_MS + 123, null],
      ['telegram_callback_query', SECOND_MS + 123, null],
      ['telegram_message', SECOND_MS + 123, null],
    ])
    expect(stored.map(({ is_premium, start_parameter }) => [is_premium, start_parameter])).toEqual([
      [1, null],
      [1, null],
      [0, null],
    ])
    expect(await listStoredUsers(application.key)).toMatchObject([
      { telegram_id: USER, total_sessions: 0, username: 'lemon' },
    ])
    expect(await readSessions(application.applicationId)).toEqual([])
  })

  it('Python 0.2.1: a body encoded twice, no session; what a user typed is not kept, what happened is', async () => {
    const application = await createSealedApplication()
    await sendSealed(application, python02Events(SECOND), PYTHON_0_2)
    const stored = await awaitEvents(application.applicationId, 8)
    expect(stored.map(({ name, is_premium, start_parameter }) => [name, is_premium, start_parameter])).toEqual([
      ['Message', null, 'promo42'],
      ['Message', null, null],
      ['Message', null, null],
      ['Message', null, null],
      ['Inline query', 0, null],
      ['Chosen inline query', 0, null],
      ['Chat member update', 1, null],
      ['Chat member update', 1, null],
    ])
    const chat = { chatType: 'private', chatId: USER }
    expect(stored.map(({ params }) => JSON.parse(params ?? 'null'))).toEqual([
      ...[14, 11, 26, 6].map((messageLength) => ({ ...chat, messageId: 17, messageLength })),
      null,
      { result: 'lemon-7', chatType: 'private', chat: 2_966_806 },
      { ...chat, updateType: 'User kicked/banned', oldStatus: 'member', newStatus: 'kicked' },
      { ...chat, updateType: 'User joined', oldStatus: 'kicked', newStatus: 'member' },
    ])
    const everything = JSON.stringify(await dumpActivity(application.applicationId))
    expect(everything).not.toMatch(/Hello|https|lemons/)
    expect(await listStoredUsers(application.key)).toMatchObject([
      { total_events: 8, total_sessions: 0, utm: 'promo42', country: null, city: null, brand: null },
    ])
  })
})

describe.concurrent('what sealed events may say', () => {
  it.each([
    { eventSource: { toString: 1 } },
    { event_type: 'a', telegram_id: { toString: 1, valueOf: 1 }, eventType: undefined, telegramID: undefined },
    { telegramID: [[[[]]]] },
  ])('never breaks the service: %j', async (parts) => {
    const application = await createSealedApplication()
    const response = await postJson(
      '/v1/client/events',
      application.key,
      sealInBrowser(clientEvent(parts), application.publicKey),
    )
    expect([200, 422]).toContain(response.status)
  })

  it('treats a meaningless language as missing', async () => {
    const application = await createSealedApplication()
    const languages = ['N/A', '', undefined, null, 'pt-br']
    const events = languages.map((language, place) => clientEvent({ language, telegramID: String(place + 1) }))
    await sendSealed(application, events, REACT)
    const stored = await awaitEvents(application.applicationId, languages.length)
    expect(stored.map(({ language }) => language)).toEqual([null, null, null, null, 'pt-br'])
  })

  it('takes the location of the edge for browsers only, and the event’s own before it', async () => {
    const application = await createSealedApplication()
    await sendSealed(application, [clientEvent({ telegramID: '1' })], REACT)
    await sendSealed(application, [clientEvent({ telegramID: '2' })], DOTNET)
    await sendSealed(application, [clientEvent({ telegramID: '3', country: 'us', city: 'Boston' })], REACT)
    const stored = await awaitEvents(application.applicationId, 3)
    expect(stored.map(({ country, city, os }) => [country, city, os])).toEqual([
      ['Germany', 'Berlin', 'Android'],
      [null, null, null],
      ['United States', 'Boston', 'Android'],
    ])
  })

  it('gives an event whose time is impossible that of its arrival', async () => {
    const application = await createSealedApplication()
    const [sixYearsAgo, sixMinutesAhead] = [SECOND - 6 * 366 * 86_400, SECOND + 60 + 360]
    const times = [undefined, null, '', 'yesterday', '0', -1, String(sixYearsAgo), sixMinutesAhead, SECOND_MS * 10]
    const events = times.map((timestamp, place) => clientEvent({ timestamp, telegramID: String(place + 1) }))
    const before = Date.now()
    await sendSealed(application, events, REACT)
    const after = Date.now()
    const stored = await awaitEvents(application.applicationId, times.length)
    expect(stored.filter(({ time }) => time < before || time > after)).toEqual([])
  })

  it('cuts names at 255, texts at 1024, those of the context at 128 and start parameters at 512 characters, counting characters and not halves of them', async () => {
    const application = await createSealedApplication()
    const long = '🍋'.repeat(2000)
    const userDetails = { username: 'u'.repeat(2000), firstName: long, lastName: 'ok' }
    await sendSealed(
      application,
      [clientEvent({ eventType: long, userDetails, language: long, eventDetails: { startParameter: long } })],
      REACT,
    )
    const [event] = await awaitEvents(application.applicationId, 1)
    expect(event).toMatchObject({
      name: '🍋'.repeat(255),
      language: '🍋'.repeat(128),
      start_parameter: '🍋'.repeat(512),
    })
    expect(await listStoredUsers(application.key)).toMatchObject([
      { username: 'u'.repeat(1024), firstname: '🍋'.repeat(1024), lastname: 'ok' },
    ])
  })
})

describe('a damaged seal', () => {
  type Parts = Record<'key' | 'iv' | 'body', string>

  /** One character changed in the middle: the base64 stays well-formed, what it holds does not. */
  function damage(text: string): string {
    const middle = text.length >> 1
    return `${text.slice(0, middle)}${text[middle] === 'A' ? 'B' : 'A'}${text.slice(middle + 1)}`
  }

  function encrypt(publicKey: string, text: string): string {
    const sealed = publicEncrypt({ key: publicKey, padding: constants.RSA_PKCS1_PADDING }, Buffer.from(text))
    return sealed.toString('base64')
  }

  it('is refused in the same words, whichever part is damaged', async () => {
    const { key, publicKey } = await createSealedApplication()
    const other = await createSealedApplication()
    const whole: Parts = JSON.parse(sealInBrowser(clientEvent(), publicKey))
    const damaged: Parts[] = [
      ...(['key', 'iv', 'body'] as const).flatMap((part) =>
        [damage(whole[part]), '', 'ж', whole[part].slice(0, -8)].map((text) => ({ ...whole, [part]: text })),
      ),
      { ...whole, key: whole.iv },
      { ...whole, key: encrypt(publicKey, 'short') },
      { ...whole, iv: encrypt(publicKey, 'z'.repeat(32)) },
      JSON.parse(sealInBrowser([clientEvent()], publicKey)),
      JSON.parse(sealInBrowser('text', publicKey)),
      JSON.parse(sealInBrowser(clientEvent(), other.publicKey)),
      JSON.parse(sealWithRawSecrets(clientEvent(), other.publicKey)),
    ]
    const answers = await Promise.all(
      damaged.map(async (parts) => {
        const response = await send(key, JSON.stringify(parts), BROWSER)
        return `${response.status} ${await response.text()}`
      }),
    )
    expect(new Set(answers)).toEqual(
      new Set([
        '422 {"detail":[{"loc":["body"],"msg":"The sealed event cannot be opened with the key of this application","type":"value_error"}]}',
      ]),
    )
    expect((await send(key, JSON.stringify(whole), BROWSER)).status).toBe(200)
  })

  it('names the user that is missing when the seal is whole', async () => {
    const { key, publicKey } = await createSealedApplication()
    const response = await send(key, sealInBrowser(clientEvent({ telegramID: '' }), publicKey), BROWSER)
    expect(response.status).toBe(422)
    expect(await response.json()).toMatchObject({ detail: [{ loc: ['body'], type: 'value_error' }] })
  })
})
