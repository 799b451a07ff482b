import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  apiKey,
  call,
  expectProblem,
  handle,
  issueKey,
  needOwned,
  newHandle,
  newUser,
  registrationOf,
  seenUser,
} from './client.ts'

interface Operation {
  readonly method: string
  readonly path: string
  /** The path with the names of its parameters, where it has some. */
  readonly template?: string
  readonly header: string
  readonly scope: 'full' | 'questions' | 'client'
  readonly body?: unknown
}

const seen = await seenUser()
const readKey = (await issueKey('read')).key

const OPERATIONS: readonly Operation[] = [
  {
    method: 'POST',
    path: '/applications/register',
    header: 'x-api-key',
    scope: 'full',
    body: registrationOf(newHandle()),
  },
  { method: 'GET', path: '/applications', header: 'x-api-key', scope: 'full' },
  {
    method: 'GET',
    path: `/applications/${handle}`,
    template: '/applications/{handle}',
    header: 'x-api-key',
    scope: 'full',
  },
  {
    method: 'PATCH',
    path: `/applications/${handle}`,
    template: '/applications/{handle}',
    header: 'x-api-key',
    scope: 'full',
    body: {},
  },
  {
    method: 'GET',
    path: `/applications/${handle}/client-config`,
    template: '/applications/{handle}/client-config',
    header: 'x-api-key',
    scope: 'full',
  },
  {
    method: 'PUT',
    path: `/applications/${handle}/client-config`,
    template: '/applications/{handle}/client-config',
    header: 'x-api-key',
    scope: 'full',
    body: {},
  },
  { method: 'GET', path: '/keys', header: 'x-api-key', scope: 'full' },
  { method: 'POST', path: '/keys', header: 'x-api-key', scope: 'full', body: { name: 'Key check', scope: 'read' } },
  {
    method: 'DELETE',
    path: `/keys/${(await issueKey('client')).id}`,
    template: '/keys/{id}',
    header: 'x-api-key',
    scope: 'full',
  },
  {
    method: 'GET',
    path: `/monthly-active-users/timeseries/${handle}`,
    template: '/monthly-active-users/timeseries/{handle}',
    header: 'x-api-key',
    scope: 'questions',
  },
  { method: 'GET', path: '/monthly-active-users/growth-trend', header: 'x-api-key', scope: 'questions' },
  {
    method: 'GET',
    path: `/monthly-active-users/growth-trend/${handle}`,
    template: '/monthly-active-users/growth-trend/{handle}',
    header: 'x-api-key',
    scope: 'questions',
  },
  { method: 'GET', path: '/users/segmentation', header: 'x-api-key', scope: 'questions' },
  { method: 'GET', path: '/users/segmentation/aggregated', header: 'x-api-key', scope: 'questions' },
  { method: 'GET', path: '/users/activity', header: 'x-api-key', scope: 'questions' },
  { method: 'GET', path: '/retention', header: 'x-api-key', scope: 'questions' },
  { method: 'GET', path: '/sessions/average', header: 'x-api-key', scope: 'questions' },
  { method: 'GET', path: '/sessions/length', header: 'x-api-key', scope: 'questions' },
  { method: 'GET', path: `/users/${seen}`, template: '/users/{telegram_id}', header: 'x-api-key', scope: 'questions' },
  {
    method: 'GET',
    path: `/users/${seen}/events`,
    template: '/users/{telegram_id}/events',
    header: 'x-api-key',
    scope: 'questions',
  },
  { method: 'GET', path: '/funnels?events=a&events=b', template: '/funnels', header: 'x-api-key', scope: 'questions' },
  {
    method: 'GET',
    path: '/events/segmentation?event=x',
    template: '/events/segmentation',
    header: 'x-api-key',
    scope: 'questions',
  },
  { method: 'GET', path: '/events/names', header: 'x-api-key', scope: 'questions' },
  { method: 'GET', path: '/events/latest', header: 'x-api-key', scope: 'questions' },
  { method: 'GET', path: '/properties', header: 'x-api-key', scope: 'questions' },
  {
    method: 'GET',
    path: '/properties/params.a%2Fb/values',
    template: '/properties/{property}/values',
    header: 'x-api-key',
    scope: 'questions',
  },
  { method: 'GET', path: '/events/paths?event=x', template: '/events/paths', header: 'x-api-key', scope: 'questions' },
  {
    method: 'GET',
    path: `/enterprise/${handle}`,
    template: '/enterprise/{handle}',
    header: 'x-api-key',
    scope: 'questions',
  },
  {
    method: 'GET',
    path: `/enterprise/${handle}/premium-timeseries`,
    template: '/enterprise/{handle}/premium-timeseries',
    header: 'x-api-key',
    scope: 'questions',
  },
  { method: 'GET', path: '/enterprise/available-handles', header: 'x-api-key', scope: 'questions' },
  { method: 'GET', path: '/v1/client/config', header: 'authorization', scope: 'client' },
  {
    method: 'POST',
    path: '/v1/client/events',
    header: 'x-api-key',
    scope: 'client',
    body: { event_type: 'Key check', telegram_id: newUser(), datetime: Date.now() },
  },
]

function send({ method, path, body }: Operation, headers: Record<string, string>, query = ''): Promise<Response> {
  const json = body === undefined ? {} : { 'content-type': 'application/json' }
  const init: RequestInit = { method, headers: { ...json, ...headers } }
  const address = path.includes('?') ? path + query.replace('?', '&') : path + query
  return call(address, body === undefined ? init : { ...init, body: JSON.stringify(body) })
}

async function expectUnauthorized(response: Response): Promise<void> {
  expect(response.headers.get('www-authenticate')).toBeTruthy()
  await expectProblem(response, 401)
}

const NAMED = OPERATIONS.map((operation) => {
  const { method, path, template = path } = operation
  return [`${method} ${template}`, operation] as const
})

describe.each(NAMED)('%s (§Authentication, §Errors)', (_, operation) => {
  const { header, scope } = operation
  const sendWith = (key: string, headers: Record<string, string> = {}) => send(operation, { [header]: key, ...headers })

  it('takes a full key', async () => expect((await sendWith(apiKey)).status).toBe(200))

  it('asks for a key', async () => expectUnauthorized(await send(operation, {})))

  it('takes an empty key for none', async () => expectUnauthorized(await sendWith('')))

  it('takes the key in its own header only', async () => {
    const other = header === 'x-api-key' ? 'authorization' : 'x-api-key'
    await expectUnauthorized(await send(operation, { [other]: apiKey }))
    await expectUnauthorized(await send(operation, {}, `?api_key=${apiKey}`))
  })

  it('takes Bearer in authorization only', async () => {
    const bearer = `Bearer ${apiKey}`
    await call('/v1/client/config', { headers: { authorization: bearer } })
    if (header === 'authorization') expect((await sendWith(bearer)).status).toBe(200)
    else await expectUnauthorized(await sendWith(bearer))
  })

  it('does not know an unknown key', async () => expectUnauthorized(await sendWith(randomUUID())))

  it.each(["' or 1=1 --", 'x'.repeat(5000), '\u00e9', 'null'])('does not know a key that is none (%#)', async (key) => {
    await expectUnauthorized(await sendWith(key))
  })

  it('does not know a revoked key', async (context) => {
    await expectUnauthorized(await sendWith(needOwned(context).revokedKey))
  })

  it(`${scope === 'client' ? 'opens' : 'does not open'} to a client key`, async (context) => {
    const response = await sendWith(needOwned(context).clientKey)
    if (scope === 'client') expect(response.status).toBe(200)
    else await expectProblem(response, 403)
  })

  it(`${scope === 'questions' ? 'opens' : 'does not open'} to a key for reading`, async () => {
    const response = await sendWith(readKey)
    if (scope === 'questions') expect(response.status).toBe(200)
    else await expectProblem(response, 403)
  })

  it.each([randomUUID(), 'no-uuid', 'x'.repeat(5000)])('is closed for an unknown project (%#)', async (projectId) => {
    await expectProblem(await sendWith(apiKey, { 'x-project-id': projectId }), 403)
    await expectProblem(await send(operation, { [header]: apiKey }, `?project=${projectId}`), 403)
  })

  it("is closed for another account's project", async (context) => {
    const { foreignProjectId } = needOwned(context)
    await expectProblem(await sendWith(apiKey, { 'x-project-id': foreignProjectId }), 403)
    await expectProblem(await send(operation, { [header]: apiKey }, `?project=${foreignProjectId}`), 403)
  })

  it("takes its own account's project", async (context) => {
    const { projectId } = needOwned(context)
    expect((await sendWith(apiKey, { 'x-project-id': projectId })).status).toBe(200)
  })

  it('looks at the key before anything else', async () => {
    await expectUnauthorized(await send({ ...operation, body: undefined }, {}, '?limit=none'))
  })
})
