import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { apiKey, expectProblem, issueKey, needOwned } from './client.ts'
import { type Changes, expectListed, goodStatusOf, keyHeader, type Operation, operations, send } from './openapi.ts'

/** The operations that a client key opens. What the document says is checked against these and the next ones. */
const FOR_CLIENTS = ['GET /v1/client/config', 'POST /v1/client/events', 'POST /events']
/** A key for reading opens all operations that read, but not those about the account, its notifications and the client. */
const NOT_FOR_READING = [
  'GET /v1/client/config',
  'GET /applications',
  'GET /applications/{handle}',
  'GET /applications/{handle}/client-config',
  'GET /applications/{handle}/sources',
  'GET /subscriptions',
  'GET /keys',
  'GET /audit',
]

const OPENS: Readonly<Record<'client' | 'read', (name: string) => boolean>> = {
  client: (name) => FOR_CLIENTS.includes(name),
  read: (name) => name.startsWith('GET ') && !NOT_FOR_READING.includes(name),
}

const readKey = (await issueKey('read')).key

const NAMED = operations.map((operation) => [`${operation.method} ${operation.path}`, operation] as const)

it('the operations that other keys than full ones open are there', () => {
  expect(NAMED.map(([name]) => name)).toEqual(expect.arrayContaining([...FOR_CLIENTS, ...NOT_FOR_READING]))
})

describe.each(NAMED)('%s (§Authentication, §Errors)', (name, operation) => {
  const header = keyHeader(operation)
  const good = goodStatusOf(operation)

  it('takes a full key', () => expectStatus(good, operation, { key: apiKey }))

  it('asks for a key, and takes an empty one for none', async () => {
    await expectUnauthorized(operation, { key: null })
    await expectUnauthorized(operation, { key: '' })
  })

  it('takes the key in its own header only', async () => {
    const other = header === 'x-api-key' ? 'authorization' : 'x-api-key'
    await expectUnauthorized(operation, { key: null, headers: { [other]: apiKey } })
    await expectUnauthorized(operation, { key: null, query: { api_key: apiKey } })
  })

  it('takes Bearer in authorization only', async () => {
    const bearer = { key: `Bearer ${apiKey}` }
    expect(operation.security.some((scheme) => 'bearerKey' in scheme)).toBe(header === 'authorization')
    if (header === 'authorization') await expectStatus(good, operation, bearer)
    else await expectUnauthorized(operation, bearer)
  })

  it('rejects an unknown or malformed key', async () => {
    for (const key of [randomUUID(), "' or 1=1 --", 'x'.repeat(5000), '\u00e9', 'null']) {
      await expectUnauthorized(operation, { key })
    }
  })

  it('rejects a revoked key', async (context) => {
    await expectUnauthorized(operation, { key: needOwned(context).revokedKey })
  })

  it('opens to a client key and to a key for reading as its scope says', async (context) => {
    const keys = { client: needOwned(context).clientKey, read: readKey }
    for (const scope of ['client', 'read'] as const) {
      const isOpen = OPENS[scope](name)
      expect(operation['x-key-scopes'].includes(scope), `opens to '${scope}'`).toBe(isOpen)
      await expectStatus(isOpen ? good : 403, operation, { key: keys[scope] })
    }
  })

  it('is closed for an unknown project', async () => {
    for (const project of [randomUUID(), 'no-uuid', 'x'.repeat(5000)]) await expectClosed({ key: apiKey, project })
  })

  it('opens to the projects of its own account, and to no other', async (context) => {
    const { foreignKey, foreignProjectId, projectId } = needOwned(context)
    await expectClosed({ key: apiKey, project: foreignProjectId })
    await expectClosed({ key: foreignKey, project: projectId })
    await expectStatus(good, operation, { headers: { 'x-project-id': projectId } })
    // Of its own applications it may ask, and what it is told is what the document says.
    await expectListed(operation, await send(operation, { key: foreignKey }))
  })

  it('looks at the key before anything else', async () => {
    await expectUnauthorized(operation, { key: null, body: '', query: { limit: 'none' } })
  })

  async function expectClosed({ key, project }: { key: string; project: string }): Promise<void> {
    await expectStatus(403, operation, { key, headers: { 'x-project-id': project } })
    await expectStatus(403, operation, { key, query: { project } })
  }
})

/** The answer has this status and is as the document says; if something is wrong, it says why in a sentence. */
async function expectStatus(status: number, operation: Operation, changes: Changes): Promise<void> {
  const response = await send(operation, changes)
  expect(await expectListed(operation, response.clone())).toBe(status)
  if (status >= 400) await expectProblem(response, status)
}

async function expectUnauthorized(operation: Operation, changes: Changes): Promise<void> {
  const response = await send(operation, changes)
  expect(response.headers.get('www-authenticate')).toBeTruthy()
  await expectListed(operation, response.clone())
  await expectProblem(response, 401)
}
