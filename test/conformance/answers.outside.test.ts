import { describe, expect, it } from 'vitest'
import { apiKey, call, handle, newHandle, post, registrationOf, seenUser } from './client.ts'

/** What every operation's answers have in common. */

interface Asked {
  readonly path: string
  /** A query that is wrong. */
  readonly wrong: string
}

/** What takes no parameters of its own still takes the project, once. */
const PROJECT_TWICE = 'project=&project='

const seen = await seenUser()

const WITH_ENVELOPE: readonly [name: string, Asked][] = [
  ['GET /applications', { path: '/applications', wrong: PROJECT_TWICE }],
  ['GET /applications/{handle}', { path: `/applications/${handle}`, wrong: PROJECT_TWICE }],
  ['GET /applications/{handle}/client-config', { path: `/applications/${handle}/client-config`, wrong: PROJECT_TWICE }],
  [
    'GET /monthly-active-users/timeseries/{handle}',
    { path: `/monthly-active-users/timeseries/${handle}`, wrong: 'days=0' },
  ],
  ['GET /monthly-active-users/growth-trend', { path: '/monthly-active-users/growth-trend', wrong: 'limit=0' }],
  [
    'GET /monthly-active-users/growth-trend/{handle}',
    { path: `/monthly-active-users/growth-trend/${handle}`, wrong: PROJECT_TWICE },
  ],
  ['GET /users/segmentation', { path: '/users/segmentation', wrong: 'limit=0' }],
  ['GET /users/segmentation/aggregated', { path: '/users/segmentation/aggregated', wrong: 'start=x' }],
  ['GET /users/activity', { path: '/users/activity', wrong: 'start=x' }],
  ['GET /retention', { path: '/retention', wrong: 'interval=x' }],
  ['GET /sessions/average', { path: '/sessions/average', wrong: 'start=x' }],
  ['GET /sessions/length', { path: '/sessions/length', wrong: 'filters=x' }],
  ['GET /funnels', { path: '/funnels?events=a&events=b', wrong: 'window_seconds=0' }],
  ['GET /events/segmentation', { path: '/events/segmentation?event=a', wrong: 'mode=x' }],
  ['GET /users/{telegram_id}', { path: `/users/${seen}`, wrong: PROJECT_TWICE }],
  ['GET /users/{telegram_id}/events', { path: `/users/${seen}/events`, wrong: 'limit=0' }],
  ['GET /events/names', { path: '/events/names', wrong: 'limit=0' }],
  ['GET /properties', { path: '/properties', wrong: 'limit=0' }],
  ['GET /properties/{property}/values', { path: '/properties/params.a%2Fb/values', wrong: 'limit=0' }],
  ['GET /events/latest', { path: '/events/latest', wrong: 'limit=0' }],
  ['GET /events/paths', { path: '/events/paths?event=a', wrong: 'steps=0' }],
  ['GET /enterprise/{handle}', { path: `/enterprise/${handle}`, wrong: PROJECT_TWICE }],
  [
    'GET /enterprise/{handle}/premium-timeseries',
    { path: `/enterprise/${handle}/premium-timeseries`, wrong: PROJECT_TWICE },
  ],
]

const WITHOUT_ENVELOPE: readonly [name: string, Asked][] = [
  ['GET /enterprise/available-handles', { path: '/enterprise/available-handles', wrong: PROJECT_TWICE }],
  ['GET /v1/client/config', { path: '/v1/client/config', wrong: PROJECT_TWICE }],
]

function ask(path: string, query = ''): Promise<Response> {
  const address = `${path}${path.includes('?') ? '&' : '?'}${query}`
  const header = path.startsWith('/v1/client/config') ? 'authorization' : 'x-api-key'
  return call(address, { headers: { [header]: apiKey } })
}

describe.each(WITH_ENVELOPE)('%s (§Common response envelope fields)', (_, { path }) => {
  it('says status_code 200 and Success', async () => {
    const response = await ask(path)
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ status_code: 200, message: 'Success' })
  })
})

describe.each([...WITH_ENVELOPE, ...WITHOUT_ENVELOPE])('%s (§Errors, §Validation error)', (_, { path, wrong }) => {
  it('is JSON, whether right or wrong', async () => {
    for (const response of [await ask(path), await ask(path, wrong), await call(path)]) {
      expect(response.headers.get('content-type')).toMatch(/^application\/json/)
      await response.json()
    }
  })

  it('answers what fails validation with 422 and detail', async () => expectValidationError(await ask(path, wrong)))

  it('is a GET', async () => {
    const response = await call(path, { method: 'POST', headers: { 'x-api-key': apiKey, authorization: apiKey } })
    expect(response.status).toBe(405)
  })
})

describe('POST /applications/register (§1)', () => {
  it('answers what fails validation with 422 and detail', async () => {
    await expectValidationError(await post('/applications/register', registrationOf(newHandle(), { name: '' })))
  })
})

/** The form itself; which faults are told is asked by the tests of each operation. */
async function expectValidationError(response: Response): Promise<void> {
  expect(response.status).toBe(422)
  const body = (await response.json()) as { detail: { loc: unknown[]; msg: unknown; type: unknown }[] }
  expect(Object.keys(body)).toEqual(['detail'])
  expect(body.detail).not.toEqual([])
  for (const fault of body.detail) {
    expect(Object.keys(fault).toSorted()).toEqual(['loc', 'msg', 'type'])
    expect(fault).toMatchObject({ msg: expect.any(String), type: expect.any(String) })
    for (const step of fault.loc) expect(typeof step === 'string' || Number.isInteger(step)).toBe(true)
    expect(['body', 'query', 'path', 'header']).toContain(fault.loc[0])
  }
}

it('status_code is an integer and message a string, says the document (§Common response envelope fields)', async () => {
  const document = (await (await call('/openapi.json')).json()) as { components: { schemas: Record<string, Schema> } }
  const withEnvelope = Object.values(document.components.schemas).filter(({ properties }) => properties?.status_code)
  expect(withEnvelope.length).toBeGreaterThanOrEqual(WITH_ENVELOPE.length)
  for (const { properties } of withEnvelope) {
    expect(properties).toMatchObject({ status_code: { type: 'integer' }, message: { type: 'string' } })
  }
})

interface Schema {
  readonly properties?: Readonly<Record<string, unknown>>
}

describe('versions (§Versioning)', () => {
  it.each([
    '/v1/applications/register',
    `/v1/monthly-active-users/timeseries/${handle}`,
    '/v1/monthly-active-users/growth-trend',
    '/v1/users/segmentation',
    '/v1/users/segmentation/aggregated',
    '/v1/funnels',
    '/v1/events/segmentation',
    `/v1/enterprise/${handle}/premium-timeseries`,
    '/v1/enterprise/available-handles',
    '/client/config',
    '/v2/client/config',
  ])('are in no path but those of the tracking clients (%#)', async (path) => {
    expect((await call(path, { headers: { 'x-api-key': apiKey, authorization: apiKey } })).status).toBe(404)
  })

  it('are 1.0.0 in the description of the interface', async () => {
    expect(await (await call('/openapi.json')).json()).toMatchObject({ info: { version: '1.0.0' } })
  })
})
