import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { Invalid } from '../../src/base/errors.ts'
import { readSdkBody } from '../../src/collection/body.ts'
import { awaitEvents, readEvents, readSessions, readWallets } from '../support/activity.ts'
import { createPlainApplication } from '../support/applications.ts'
import { createKey, request } from '../support/client.ts'
import { ARRIVAL } from '../support/delivery.ts'
import { packed, SDK_EVENTS, sdkEvent } from '../support/sdk-events.ts'

const NOW = Date.UTC(2026, 10, 20, 10, 15, 30, 123)
const DAY_MS = 86_400_000
const INIT = { event_name: 'app-init' }

function read(body: unknown, now = NOW) {
  return readSdkBody(body, { ...ARRIVAL, now, scope: 'client' }).events
}

function faultsOf(body: unknown): [where: string, kind: string][] {
  try {
    read(body)
    return []
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    return error.faults.map(({ loc, type }) => [loc.join('.'), type])
  }
}

function at(client_timestamp: unknown) {
  return sdkEvent(INIT, { client_timestamp })
}

describe('an event of @telegram-apps/analytics', () => {
  it.each(SDK_EVENTS.map((event) => [event.sent.event_name, event] as const))('%s', (_, { sent, name, params }) => {
    const [event] = read([sdkEvent(sent, { client_timestamp: String(NOW - 1) })])
    expect(event).toMatchObject({ name, time: NOW - 1, telegramId: 7_234_567_890 })
    expect(JSON.parse(event?.params ?? 'null')).toEqual(params)
    expect(event?.properties).toMatchObject({
      isPremium: true,
      device: 'ios',
      language: 'ru',
      startParameter: 'summer',
    })
    expect(event?.session).toBe('0ba49ee2-d074-41c4-a2b0-641c462b0641')
  })

  it('an impossible time becomes the time of arrival, and the event is recognized when it arrives again', () => {
    for (const time of [NOW + DAY_MS, NOW - 31 * DAY_MS]) {
      const [first, again] = [NOW, NOW + 60_000].map((now) => read([at(String(time))], now)[0])
      expect([first?.time, again?.time]).toEqual([NOW, NOW + 60_000])
      expect([first?.claimsId, again?.id]).toEqual([true, first?.id])
    }
    expect(read([at(String(NOW - 29 * DAY_MS))])[0]).toMatchObject({ time: NOW - 29 * DAY_MS, claimsId: false })
  })

  it('is read whatever its fields contain, since the package retries a refused batch for ever', () => {
    const odd = [null, undefined, 5, true, {}, [], '', 'x'.repeat(5_000), '\0', '\ud800']
    for (const field of Object.keys(sdkEvent(INIT)).filter((name) => name !== 'user_id')) {
      for (const value of odd) expect(read([sdkEvent(INIT, { [field]: value })])).toHaveLength(1)
    }
    for (const { sent } of SDK_EVENTS) {
      for (const field of Object.keys(sent).filter((name) => name !== 'event_name')) {
        for (const value of odd) expect(read([sdkEvent({ ...sent, [field]: value })])).toHaveLength(1)
      }
    }
  })

  it('is refused if it has no user or is not an event', () => {
    const nobody = [undefined, null, 0, -1, 1.5, 'lemon', {}].map((user_id) => ({ ...sdkEvent(INIT), user_id }))
    expect(faultsOf([sdkEvent(INIT), ...nobody])).toEqual(
      nobody.map((_, n) => [`body.${n + 1}.user_id`, 'int_parsing']),
    )
    expect(faultsOf([null, 'x', []])).toEqual([0, 1, 2].map((n) => [`body.${n}`, 'dict_type']))
    expect(faultsOf([])).toEqual([['body', 'too_short']])
    expect(faultsOf(Array.from({ length: 51 }, () => sdkEvent(INIT)))).toEqual([['body', 'too_long']])
    expect(faultsOf('x')).toEqual([['body', 'dict_type']])
    expect(faultsOf(undefined)).toEqual([['body', 'missing']])
  })

  it('an event by itself is a batch of one', () => {
    expect(read(at(String(NOW)))).toEqual(read([at(String(NOW))]))
  })
})

async function createTokened(changes = {}) {
  const application = await createPlainApplication()
  const token = await createKey(application.accountId, 'client', application.applicationId)
  const send = (body: RequestInit) =>
    request('/events', { ...body, headers: { ...body.headers, 'tga-auth-token': token, ...changes } })
  return { ...application, token, send }
}

describe('POST /events', () => {
  it('stores each event once, however often it is sent, packed or not', async () => {
    const { applicationId, send } = await createTokened()
    const start = Date.now() - 60_000
    const batch = SDK_EVENTS.map(({ sent }, n) => sdkEvent(sent, { client_timestamp: String(start + n) }))
    const plain = { ...packed(batch), headers: { 'content-type': 'application/json' }, body: JSON.stringify(batch) }
    for (const body of [packed(batch), packed(batch), plain]) {
      const response = await send(body)
      expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([202, '*'])
      expect(await response.json()).toEqual({ status_code: 202, message: 'Accepted', accepted: batch.length })
    }
    expect((await send(packed([sdkEvent({ event_name: 'last' })]))).status).toBe(202)
    const stored = await awaitEvents(applicationId, batch.length + 1)
    expect(stored.map(({ name }) => name)).toEqual([...SDK_EVENTS.map(({ name }) => name), 'last'])
    expect(await readEvents(applicationId)).toHaveLength(batch.length + 1)
    expect(await readWallets(applicationId)).toMatchObject([{ provider: 'Lemon Wallet', curr_volume: 2_500_000_000 }])
    expect(await readSessions(applicationId)).toMatchObject([{ session: '0ba49ee2-d074-41c4-a2b0-641c462b0641' }])
  })

  it('says where the parameters were cut', async () => {
    const { send } = await createTokened()
    const response = await send(packed([sdkEvent({ event_name: 'Level up', note: 'x'.repeat(2_000) })]))
    const { left_out } = (await response.json()) as { left_out: unknown }
    expect(left_out).toEqual([{ loc: ['body', 0, 'note'], msg: 'Cut: of a text 1024 characters are kept' }])
  })

  it('takes the key in its own header only', async () => {
    const { token } = await createTokened()
    const { headers, ...rest } = packed([sdkEvent(INIT)])
    for (const own of [{}, { 'x-api-key': token }, { authorization: token }, { 'tga-auth-token': `x${token}` }]) {
      const response = await request('/events', { ...rest, headers: { ...headers, ...own } })
      expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([401, '*'])
    }
  })

  it('bounds the unpacked body', async () => {
    const { send } = await createTokened()
    const { headers } = packed([])
    const statusOf = async (body: Uint8Array, more = {}) =>
      (await send({ method: 'POST', headers: { ...headers, ...more }, body: body as BodyInit })).status
    expect(await statusOf(gzipSync(Buffer.alloc(100_000_000)))).toBe(413)
    const blanks = (count: number) => gzipSync(JSON.stringify([sdkEvent(INIT)]).padEnd(count))
    expect(await statusOf(blanks(1_048_576))).toBe(202)
    expect(await statusOf(blanks(1_048_577))).toBe(413)
    expect(await statusOf(crypto.getRandomValues(new Uint8Array(60_000)))).toBe(415)
    expect(await statusOf(new Uint8Array())).toBe(415)
    expect(await statusOf(gzipSync('[]').subarray(0, 12))).toBe(415)
    expect(await statusOf(gzipSync('['))).toBe(422)
    expect(await statusOf(gzipSync('[]'), { 'content-encoding': 'deflate' })).toBe(415)
  })

  it.each([
    '/c3e068ebf11840ed3fc311a6f2df80b20fa05d25',
    '/aee7c93a9ae7930fb19732325d2c560c53849aa7',
    '/events/fingerprint',
  ])('finds nothing at %s, which is no error in the console of a page', async (path) => {
    for (const method of ['GET', 'POST', 'OPTIONS']) {
      const { status, headers } = await request(path, { method, headers: { origin: 'https://shop.example' } })
      expect([status, headers.get('access-control-allow-origin')], method).toEqual([204, '*'])
    }
  })

  it('is open to pages, and so is the threshold; a question at a neighbouring address is not', async () => {
    const preflight = await request('/events', {
      method: 'OPTIONS',
      headers: {
        origin: 'https://shop.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-encoding,content-type,tga-auth-token',
      },
    })
    const allowed = preflight.headers.get('access-control-allow-headers')?.split(',')
    expect(allowed).toEqual(expect.arrayContaining(['content-encoding', 'content-type', 'tga-auth-token']))
    const threshold = await request('/events/threshold', { headers: { origin: 'https://shop.example' } })
    expect(threshold.headers.get('access-control-allow-origin')).toBe('*')
    expect(await threshold.json()).toEqual({ 'app-hide': 1 })
    for (const path of ['/events', '/events/names']) {
      const response = await request(path, { headers: { origin: 'https://shop.example' } })
      expect(response.headers.get('access-control-allow-origin')).toBe(null)
    }
  })
})
