import { describe, expect, it } from 'vitest'
import { apiKey, call, expectProblem, handle } from './client.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

const key = { 'x-api-key': apiKey }
const json = { ...key, 'content-type': 'application/json' }
const preflight = { origin: 'https://shop.example', 'access-control-request-method': 'POST' }

/** An answer of every kind. */
const ANSWERS: [what: string, path: string, init: RequestInit, status: number][] = [
  ['an answer', `/monthly-active-users/timeseries/${handle}`, { headers: key }, 200],
  ['one with data of the account', '/users/segmentation', { headers: key }, 200],
  ['one to HEAD', '/users/segmentation', { method: 'HEAD', headers: key }, 200],
  ['the client configuration', '/v1/client/config', { headers: { authorization: apiKey } }, 200],
  ['the health', '/health', {}, 200],
  ['a preflight', '/v1/client/events', { method: 'OPTIONS', headers: preflight }, 204],
  ['a preflight of the analytics package', '/events', { method: 'OPTIONS', headers: preflight }, 204],
  ['its threshold', '/events/threshold', {}, 200],
  ['no token', '/events', { method: 'POST' }, 401],
  ['no key', '/users/segmentation', {}, 401],
  ['no key for the configuration', '/v1/client/config', {}, 401],
  ['an address where nothing is', '/nothing', { headers: key }, 404],
  ['something sent to such an address', '/nothing', { method: 'POST', headers: json, body: '{}' }, 404],
  ['a preflight of such an address', '/nothing', { method: 'OPTIONS', headers: preflight }, 204],
  ['a method that is not taken', '/users/segmentation', { method: 'DELETE', headers: key }, 405],
  ['a body that is no JSON', '/v1/client/events', { method: 'POST', headers: key, body: 'x' }, 415],
  ['faults', '/users/segmentation?limit=0', { headers: key }, 422],
  ['faults of a body', '/v1/client/events', { method: 'POST', headers: json, body: '{' }, 422],
]

describe.each(ANSWERS)('%s', (_, path, init, status) => {
  it('names its request, and is safe in a browser', async () => {
    const { status: found, headers } = await call(path, init)
    expect(found).toBe(status)
    expect(headers.get('x-request-id')).toMatch(UUID)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('strict-transport-security')).toMatch(/^max-age=\d{8}/)
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'")
    const isForBrowsers = /^\/(v1\/client\/.*|events|events\/threshold|nothing)$/.test(path)
    expect(headers.get('cross-origin-resource-policy')).toBe(isForBrowsers ? 'cross-origin' : 'same-origin')
    expect(headers.get('access-control-allow-origin')).toBe(isForBrowsers ? '*' : null)
    if (isForBrowsers && init.method !== 'OPTIONS') {
      expect(headers.get('access-control-expose-headers')).toBe('retry-after, x-request-id')
    }
  })

  it('is kept nowhere on its way', async () => {
    expect((await call(path, init)).headers.get('cache-control')).toBe('no-store')
  })

  it('has another id every time, whatever is sent', async () => {
    const sent = '06228d54-5051-47ab-bec7-4c2fc5e755ba'
    const again = () => call(path, { ...init, headers: { ...init.headers, 'x-request-id': sent, 'cf-ray': sent } })
    const ids = (await Promise.all([again(), again()])).map(({ headers }) => headers.get('x-request-id'))
    expect(new Set([...ids, sent]).size).toBe(3)
  })
})

it('/health says what it has checked, and takes GET only', async () => {
  expect(await (await call('/health')).json()).toMatchObject({ status: 'ok', database: 'ok', cache: 'ok' })
  await expectProblem(await call('/health', { method: 'POST' }), 405)
})
