import { describe, expect, it } from 'vitest'
import {
  apiKey,
  call,
  type ExpectedFault,
  expectFaults,
  expectProblem,
  needOwned,
  newHandle,
  newUser,
  post,
  registrationOf,
} from './client.ts'

const MAX_BODY_BYTES = 1_048_576

describe('an address', () => {
  it.each(['/nothing', '/user', '/users/segmentation/', '/USERS/segmentation', '/v1/client', '/%E0%A4%A', '//'])(
    'where nothing is answers 404 (%s)',
    async (path) => expectProblem(await call(path, { headers: { 'x-api-key': apiKey } }), 404),
  )

  it.each([
    ['PUT', '/applications/register', ['POST']],
    ['GET', '/applications/register', ['POST']],
    ['OPTIONS', '/applications/register', ['POST']],
    ['PATCH', '/applications/register', ['POST']],
    ['POST', '/applications', ['GET', 'HEAD']],
    ['POST', '/applications/lemon', ['GET', 'HEAD', 'PATCH', 'DELETE']],
    ['PATCH', '/applications/lemon/client-config', ['GET', 'HEAD', 'PUT']],
    ['PUT', '/keys', ['GET', 'HEAD', 'POST']],
    ['GET', '/keys/lemon', ['DELETE']],
    ['POST', '/monthly-active-users/timeseries/lemon', ['GET', 'HEAD']],
    ['PUT', '/monthly-active-users/growth-trend', ['GET', 'HEAD']],
    ['POST', '/enterprise/lemon/premium-timeseries', ['GET', 'HEAD']],
    ['DELETE', '/enterprise/available-handles', ['GET', 'HEAD']],
    ['POST', '/users/segmentation', ['GET', 'HEAD']],
    ['DELETE', '/users/segmentation', ['GET', 'HEAD']],
    ['OPTIONS', '/users/segmentation', ['GET', 'HEAD']],
    ['POST', '/v1/client/config', ['GET', 'HEAD']],
    ['GET', '/v1/client/events', ['POST']],
    ['PATCH', '/v1/client/events', ['POST']],
  ])('answers %s %s with 405 and what it takes', async (method, path, methods) => {
    const response = await call(path, { method, headers: { 'x-api-key': apiKey } })
    expect(new Set(response.headers.get('allow')?.split(/,\s*/))).toEqual(new Set(methods))
    await expectProblem(response, 405)
  })
})

describe('HEAD', () => {
  it.each([
    ['/users/segmentation', { 'x-api-key': apiKey }, 200],
    ['/v1/client/config', { authorization: apiKey }, 200],
    ['/users/segmentation', {}, 401],
    ['/applications/register', { 'x-api-key': apiKey }, 405],
    ['/nothing', {}, 404],
  ])('%s answers as GET does, without a body (%#)', async (path, headers, status) => {
    const response = await call(path, { method: 'HEAD', headers: headers as Record<string, string> })
    expect(response.status).toBe(status)
    expect(await response.text()).toBe('')
  })
})

/** The operations that take a body, each with one that is good. */
const POSTS: [path: string, body: unknown][] = [
  ['/applications/register', registrationOf(newHandle())],
  ['/v1/client/events', { event_type: 'Size check', telegram_id: newUser(), datetime: Date.now() }],
]

describe.each(POSTS)('a body for %s (§1, §Errors)', (path, body) => {
  /** Pads the body with blanks to a length. */
  const padded = (bytes: number) => JSON.stringify(body).padEnd(bytes, ' ')

  it('may be 1 MiB long', async () => expect((await post(path, padded(MAX_BODY_BYTES))).status).toBe(200))

  it('may not be longer', async () => expectProblem(await post(path, padded(MAX_BODY_BYTES + 1)), 413))

  it.each([
    ['may be', MAX_BODY_BYTES, 200],
    ['may not be longer than', MAX_BODY_BYTES + 1, 413],
  ])('%s 1 MiB, where nobody said before how long it is', async (_, bytes, status) => {
    const response = await call(path, {
      method: 'POST',
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      body: new Blob([padded(bytes)]).stream(),
      duplex: 'half',
    } as RequestInit)
    expect(response.status).toBe(status)
  })

  it.each(['application/json; charset=utf-8', 'APPLICATION/JSON', 'application/json;charset=UTF-8'])(
    'may be sent as %s',
    async (type) => expect((await post(path, body, { 'content-type': type })).status).toBe(200),
  )

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    'text/json',
    'json',
  ])('may not be sent as %s', async (type) => expectProblem(await post(path, body, { 'content-type': type }), 415))

  it('may not be sent as nothing in particular', async () => {
    const bytes = new TextEncoder().encode(JSON.stringify(body))
    await expectProblem(await call(path, { method: 'POST', headers: { 'x-api-key': apiKey }, body: bytes }), 415)
  })
})

describe('faults of a body are told beside those of the query', () => {
  const twice = { loc: ['query', 'project'], type: 'string_type' }
  const body = (type: string, ...field: (string | number)[]) => ({ loc: ['body', ...field], type })

  const cases: [path: string, sent: unknown, faults: ExpectedFault[]][] = [
    ['/applications/register', '{"name":', [body('json_invalid', 8)]],
    ['/applications/register', '{x', [body('json_invalid', 1)]],
    ['/applications/register', '', [body('missing')]],
    [
      '/applications/register',
      registrationOf(newHandle(), { name: '', link: 5 }),
      [body('string_too_short', 'name'), body('string_type', 'link')],
    ],
    ['/applications/register', registrationOf(newHandle()), []],
    ['/v1/client/events', { event_type: 5 }, [body('string_type', 'event_type'), body('missing', 'telegram_id')]],
    ['/v1/client/events', '[', [body('json_invalid', 1)]],
    ['/v1/client/events', '', [body('missing')]],
    ['/v1/client/events', [], [body('too_short')]],
    // That a seal does not open is told so many times a day, and not where something else is wrong already.
    ['/v1/client/events', { key: 'AA==', iv: 'AA==', body: 'AA==' }, []],
  ]

  it.for(cases)('%s (%#)', async ([path, sent, faults], context) => {
    const { projectId } = needOwned(context)
    await expectFaults(await post(`${path}?project=${projectId}&project=${projectId}`, sent), twice, ...faults)
  })
})
