import { DrizzleQueryError } from 'drizzle-orm/errors'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { logError } from '../../src/base/log.ts'
import { createAccount, createApplication, postJson, registrationOf, request } from '../support/client.ts'
import { databaseAway, rejecting, requestWith } from '../support/failures.ts'
import { sealInBrowser } from '../support/tracking-clients.ts'

/** Everything that was written to the console, by whatever method. */
let logged: string[] = []

beforeEach(() => {
  logged = []
  for (const method of ['debug', 'log', 'info', 'warn', 'error'] as const) {
    vi.spyOn(console, method).mockImplementation((...values) => void logged.push(values.map(String).join(' ')))
  }
})
describe('a line', () => {
  it('is JSON, with its event, our fields and the error', () => {
    logError('events not stored yet', new Error('D1 is away'), { events: 3 })
    expect(logged).toHaveLength(1)
    expect(JSON.parse(logged[0] ?? '')).toEqual({
      level: 'error',
      event: 'events not stored yet',
      events: 3,
      error: expect.stringContaining('D1 is away'),
    })
  })

  it('has the cause of a failed query instead of its text, and so no bound values', () => {
    const cause = new Error('D1_ERROR: no such table: users')
    logError('request failed', new DrizzleQueryError('select ? from users', ['lemon', 7234567890], cause))
    expect(logged[0]).toContain('no such table: users')
    expect(logged[0]).not.toMatch(/lemon|7234567890|select/)
  })

  it('has no bound values of a failed query without a cause', () => {
    logError('request failed', new DrizzleQueryError('select ?', ['lemon']))
    expect(logged[0]).toContain('a query failed')
    expect(logged[0]).not.toContain('lemon')
  })

  it.each([
    ['a text', 'a text'],
    [null, 'null'],
    [undefined, 'undefined'],
    [5, '5'],
  ])('may be of %s', (error, word) => {
    logError('odd', error)
    expect(JSON.parse(logged[0] ?? '').error).toBe(word)
  })
})

describe('the log of the whole service', () => {
  const USER = 7_345_678_901
  const event = {
    eventType: 'Session start',
    telegramID: String(USER),
    timestamp: String(Math.floor(Date.now() / 1000)),
    userDetails: { username: 'lemon_lover', firstName: 'Leonore', lastName: 'Citrus', isPremium: true },
  }

  /** Fails if the log contains one of these secrets, in any form. */
  function expectSilenceOn(...secrets: string[]): void {
    const text = logged.join('\n')
    for (const secret of ['lemon_lover', 'Leonore', 'Citrus', String(USER), 'PRIVATE KEY', ...secrets]) {
      expect(text).not.toContain(secret)
    }
  }

  function post(key: string, body: unknown): RequestInit {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    return { method: 'POST', headers: { 'x-api-key': key, 'content-type': 'application/json' }, body: text }
  }

  /** The lines of requests that named a key, without what differs from run to run. */
  function requestLines(): unknown[] {
    const lines = logged.map((line) => JSON.parse(line))
    const asked = lines.filter(({ event, operation }) => event === 'request' && operation !== 'registerApplication')
    for (const line of asked) {
      expect(line.request_id).toMatch(/^[0-9a-f-]{36}$/)
      expect(line.ms).toBeTypeOf('number')
    }
    return asked.map(({ operation, method, path, status, application }) => [
      `${method} ${path} ${operation} ${status}`,
      application !== null,
    ])
  }

  it('has one line per request, and no other, where everything is well', async () => {
    const { key } = await createApplication()
    const config = await request('/v1/client/config', { headers: { authorization: key } })
    const { public_key } = await config.json<{ public_key: string }>()
    expect((await postJson('/v1/client/events', key, sealInBrowser(event, public_key))).status).toBe(200)
    expect((await postJson('/v1/client/events', key, [event])).status).toBe(200)
    expect(requestLines()).toEqual([
      ['GET /v1/client/config getClientConfig 200', true],
      ['POST /v1/client/events collectEvents 200', true],
      ['POST /v1/client/events collectEvents 200', true],
    ])
    expect(logged).toHaveLength(4)
    expectSilenceOn(key)
  })

  it('has one line per request, and no other, where the caller is at fault', async () => {
    const { key } = await createApplication()
    expect((await postJson('/v1/client/events', key, { ...event, timestamp: 'x' })).status).toBe(422)
    expect((await postJson('/v1/client/events', key, `${JSON.stringify(event)}}`)).status).toBe(422)
    expect((await postJson('/v1/client/events', `${key}x`, event)).status).toBe(401)
    expect((await request('/v1/client/events', { method: 'DELETE' })).status).toBe(405)
    expect((await request('/lemon_lover?name=Leonore')).status).toBe(404)
    expect(requestLines()).toEqual([
      ['POST /v1/client/events collectEvents 422', true],
      ['POST /v1/client/events collectEvents 422', true],
      ['POST /v1/client/events collectEvents 401', false],
      ['DELETE null null 405', false],
      ['GET null null 404', false],
    ])
    expect(logged).toHaveLength(6)
    expectSilenceOn(key)
  })

  it('names an operation by its template, never the handle that was asked for', async () => {
    const { key } = await createApplication()
    const headers = { 'x-api-key': key }
    await request('/monthly-active-users/timeseries/lemon_lover?days=3', { headers })
    expect(requestLines()).toEqual([['GET /monthly-active-users/timeseries/{handle} getMonthlyActiveUsers 404', true]])
    expectSilenceOn(key)
  })

  it('names a failure by the id in its answer, and ignores ids in requests', async () => {
    const { key } = await createApplication()
    const sent = { 'x-api-key': key, 'x-request-id': 'Leonore', 'cf-ray': 'Citrus' }
    const response = await requestWith({ DB: databaseAway('D1_ERROR: broken: SQLITE_ERROR') }, '/users/segmentation', {
      headers: sent,
    })
    const id = response.headers.get('x-request-id')
    expect(response.status).toBe(500)
    expect(await response.text()).toContain(id)
    const lines = logged.map((line) => JSON.parse(line)).filter(({ request_id }) => request_id === id)
    expect(lines.map(({ event }) => event)).toEqual(['request failed', 'request'])
    expectSilenceOn(key)
  })

  it('says that the queue is unavailable, without the events', async () => {
    const { key } = await createApplication()
    const response = await requestWith(
      { EVENTS: rejecting('the queue is away') },
      '/v1/client/events',
      post(key, event),
    )
    expect(response.status).toBe(503)
    expect(logged.join()).toContain('the queue is away')
    expectSilenceOn(key)
  })

  it("says that the database is unavailable, without the query's values", async () => {
    const { key } = await createAccount()
    const registration = { ...registrationOf('lemon_lover_bot'), description: 'Leonore Citrus' }
    const response = await requestWith({ DB: databaseAway() }, '/applications/register', post(key, registration))
    expect(response.status).toBe(503)
    expect(logged.join()).toContain('D1 is away')
    expectSilenceOn(key)
  })

  it('says that a seal cannot be opened for want of its secret, and not the seal', async () => {
    const { key } = await createApplication()
    const config = await request('/v1/client/config', { headers: { authorization: key } })
    const { public_key } = await config.json<{ public_key: string }>()
    const body = sealInBrowser(event, public_key)
    const response = await requestWith({ KEY_SEALING_SECRET: 'short' }, '/v1/client/events', post(key, body))
    expect(response.status).toBe(500)
    expect(logged.join()).toContain('KEY_SEALING_SECRET must be 32 random bytes in base64')
    expectSilenceOn(key, body)
  })
})
