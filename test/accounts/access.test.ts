import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import {
  createAccount,
  createApplication,
  createKey,
  getJson,
  postJson,
  registrationOf,
  request,
  type TestAccount,
} from '../support/client.ts'
import { allRows } from '../support/placement.ts'

interface Application {
  readonly id: number
  readonly projectId: string
}

/** Registers an application and gives what only the database knows of it. */
async function register(key: string, handle: string, name = handle): Promise<Application> {
  const response = await postJson('/applications/register', key, { ...registrationOf(handle), name })
  if (response.status !== 200) throw new Error(`registration answered ${response.status}`)
  const statement = env.DB.prepare('select id, project_id as projectId from applications where handle = ?')
  return (await statement.bind(handle).first<Application>()) as Application
}

interface AccountOfTwo extends TestAccount {
  readonly first: Application
  readonly second: Application
}

async function createAccountOfTwo(prefix: string): Promise<AccountOfTwo> {
  const account = await createAccount()
  const first = await register(account.key, `${prefix}_first`)
  return { ...account, first, second: await register(account.key, `${prefix}_second`) }
}

/** The name of the application that a key acts for. */
async function nameFor(key: string, headers: Record<string, string> = {}, query = ''): Promise<string> {
  const response = await request(`/v1/client/config${query}`, { headers: { authorization: key, ...headers } })
  return response.status === 200 ? (await response.json<{ app_name: string }>()).app_name : `${response.status}`
}

describe('a key acts for', () => {
  it('the first application registered with it, where it was issued before any', async () => {
    const { key } = await createAccountOfTwo('issued_before')
    expect(await nameFor(key)).toBe('issued_before_first')
  })

  it('the application it was issued for, whatever is registered with it', async () => {
    const account = await createAccountOfTwo('issued_for')
    const key = await createKey(account.id, 'full', account.second.id)
    await register(key, 'issued_for_third')
    expect(await nameFor(key)).toBe('issued_for_second')
  })

  it("no application, if the account has one but the key's request registered none", async () => {
    const account = await createApplication()
    const key = await createKey(account.id, 'full')
    expect(await nameFor(key)).toBe('404')
  })

  it('an application of its account that it registers again, where it acted for none', async () => {
    const { id, handle } = await createApplication()
    const key = await createKey(id, 'full')
    await register(key, handle, 'Again')
    expect(await nameFor(key)).toBe('Again')
  })

  it('the application that was just registered, from the next request on', async () => {
    const { key } = await createAccount()
    expect(await nameFor(key)).toBe('404')
    await register(key, 'at_once')
    expect(await nameFor(key)).toBe('at_once')
  })
})

describe('a request names its project', () => {
  it('a request may name its project in a header or in the query, within the account of the key', async () => {
    const { key, second } = await createAccountOfTwo('own_project')
    expect(await nameFor(key, { 'x-project-id': second.projectId })).toBe('own_project_second')
    expect(await nameFor(key, {}, `?project=${second.projectId}`)).toBe('own_project_second')
    expect(await nameFor(key)).toBe('own_project_first')
  })

  it('a key that acts for no application by itself answers for the named project', async () => {
    const account = await createAccountOfTwo('unbound')
    const key = await createKey(account.id, 'client')
    expect(await nameFor(key, { 'x-project-id': account.first.projectId })).toBe('unbound_first')
    expect(await nameFor(key)).toBe('404')
  })

  it('events go to the project that their request names', async () => {
    const { key, first, second } = await createAccountOfTwo('named_events')
    const event = { event_type: 'Order', telegram_id: 5, datetime: Date.now() }
    const headers = { 'x-project-id': second.projectId }
    expect((await postJson('/v1/client/events', key, event, headers)).status).toBe(200)
    await expect.poll(() => usersOf(second.id), { timeout: 60_000 }).toBe(1)
    expect(await usersOf(first.id)).toBe(0)
    const listed = await (await getJson('/users/segmentation', key, headers)).json<{ data: unknown[] }>()
    expect(listed.data).toHaveLength(1)
  })

  it('a client key issued for one application gets a 403 for a sister application', async () => {
    const { id, first, second } = await createAccountOfTwo('sister')
    const key = await createKey(id, 'client', first.id)
    const event = { event_type: 'Order', telegram_id: 5, datetime: Date.now() }
    const sister = { 'x-project-id': second.projectId }
    expect(await nameFor(key, { 'x-project-id': first.projectId })).toBe('sister_first')
    expect(await nameFor(key, sister)).toBe('403')
    expect((await postJson('/v1/client/events', key, event, sister)).status).toBe(403)
  })

  it.each(['full', 'client'] as const)('of another account with a %s key: 403', async (scope) => {
    const [own, foreign] = await Promise.all([createAccountOfTwo(`own_${scope}`), createAccountOfTwo(`other_${scope}`)])
    const key = await createKey(own.id, scope, own.first.id)
    expect(await nameFor(key, { 'x-project-id': foreign.first.projectId })).toBe('403')
    expect(await nameFor(key, {}, `?project=${foreign.first.projectId}`)).toBe('403')
    expect(await nameFor(foreign.key)).toBe(`other_${scope}_first`)
  })

  it('a project of another account stays closed, even right after its owner asked for it', async () => {
    const [own, foreign] = await Promise.all([createAccountOfTwo('cold'), createAccountOfTwo('warm')])
    const headers = { 'x-project-id': foreign.first.projectId }
    expect(await nameFor(foreign.key, headers)).toBe('warm_first')
    expect(await nameFor(own.key, headers)).toBe('403')
  })
})

/** In whichever database the application was placed. */
async function usersOf(applicationId: number): Promise<number> {
  return (await allRows('select 1 from users where application_id = ?', applicationId)).length
}

it('a client key opens the client configuration and collection, and nothing else', async () => {
  const { id, first } = await createAccountOfTwo('scopes')
  const key = await createKey(id, 'client', first.id)
  const event = { event_type: 'Order', telegram_id: 5, datetime: Date.now() }
  expect(await nameFor(key)).toBe('scopes_first')
  expect((await postJson('/v1/client/events', key, event)).status).toBe(200)
  for (const response of [
    await getJson('/users/segmentation', key),
    await postJson('/applications/register', key, registrationOf('scopes_third')),
  ]) {
    expect(response.status).toBe(403)
    expect(await response.json()).toEqual({ detail: expect.stringContaining('for tracking clients') })
  }
})

it('a request with a key without an application gets an error that says to register one', async () => {
  const { key } = await createAccount()
  const response = await getJson('/users/segmentation', key)
  expect(response.status).toBe(404)
  expect(await response.json()).toEqual({
    detail: 'This API key acts for no application yet. Register one: POST /applications/register.',
  })
})
