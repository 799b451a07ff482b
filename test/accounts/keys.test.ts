import { env } from 'cloudflare:workers'
import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { keyId, type Scope } from '../../src/access/api-keys.ts'
import { noteUse } from '../../src/access/last-use.ts'
import { hashSecret } from '../../src/access/secrets.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { createPlainApplication } from '../support/applications.ts'
import { createAccount, createKey, getJson, postJson, registrationOf, request } from '../support/client.ts'
import { databaseAway, recordedDatabase, rejecting, requestWith } from '../support/failures.ts'

interface Key {
  readonly id: string
  readonly name: string
  readonly scope: Scope
  readonly persons: boolean
  readonly handle: string | null
  readonly last_used_at: string | null
  readonly revoked_at: string | null
}

async function keysOf(key: string): Promise<Key[]> {
  return (await (await getJson('/keys', key)).json<{ data: Key[] }>()).data
}

function issue(key: string, order: Record<string, unknown>): Promise<Response> {
  return postJson('/keys', key, order)
}

async function issued(key: string, order: Record<string, unknown>): Promise<Key & { readonly key: string }> {
  const response = await issue(key, { name: 'Test', ...order })
  expect(response.status).toBe(200)
  return (await response.json<{ data: Key & { key: string } }>()).data
}

function revoke(key: string, id: string): Promise<Response> {
  return request(`/keys/${encodeURIComponent(id)}`, { method: 'DELETE', headers: { 'x-api-key': key } })
}

const faultAt = (field: string, type = 'value_error') => ({ loc: ['body', field], type, msg: expect.any(String) })

/** An account with two applications, and a key that opens everything. */
async function createAccountOfTwo() {
  const own = await createPlainApplication()
  const second = `second_${randomUUID().slice(0, 8)}`
  const registered = await postJson('/applications/register', own.key, registrationOf(second))
  const { project_id: projectId } = await registered.json<{ project_id: string }>()
  return { ...own, second, projectId }
}

/** Keys that nobody has, revoked at these times if at any. */
async function insertKeys(accountId: string, revokedAt: readonly (number | null)[]) {
  const sql = `insert into api_keys (hash, account_id, scope, last_four, created_at, revoked_at)
    select ?1 || key, ?1, 'read', 'abcd', 0, value from json_each(?2)`
  await env.DB.prepare(sql).bind(accountId, JSON.stringify(revokedAt)).run()
}

it('an account has at most 1000 keys that are not revoked, even if several are issued at the same time', async () => {
  const { key, accountId } = await createPlainApplication()
  const { length: known } = await keysOf(key)
  await insertKeys(accountId, Array(999 - known).fill(null))
  const answers = await Promise.all([1, 2, 3].map(() => issue(key, { name: 'Test', scope: 'read' })))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
  const detail = 'An account has at most 1000 keys that are not revoked. Revoke one that nobody uses any more.'
  expect(await answers.find(({ status }) => status === 409)?.json()).toEqual({ detail })
  const [newest] = await keysOf(key)
  expect((await revoke(key, newest?.id ?? '')).status).toBe(200)
  expect((await issue(key, { name: 'Test', scope: 'read' })).status).toBe(200)
})

it('the last 1000 revoked keys of an account are kept', async () => {
  const { key, accountId } = await createPlainApplication()
  await insertKeys(
    accountId,
    Array.from({ length: 1_003 }, (_, time) => time),
  )
  await issued(key, { scope: 'read' })
  const times = (await keysOf(key)).flatMap(({ revoked_at: at }) => (at === null ? [] : [Date.parse(at)]))
  expect([times.length, Math.min(...times)]).toEqual([1_000, 3])
})

describe('a key that is issued', () => {
  it('is shown once and stored as its hash', async () => {
    const { key: asking, handle, accountId } = await createPlainApplication()
    const hostile = `<script>alert(1)</script> '"; drop table api_keys; -- \u202e🍋`
    const { key, ...entry } = await issued(asking, { name: hostile, scope: 'read', handle: `@${handle.toUpperCase()}` })
    const listed = { id: keyId(hashSecret(key)), name: hostile, scope: 'read', persons: false, handle }
    expect(entry).toEqual({
      ...listed,
      last_four: key.slice(-4),
      created_at: expect.any(String),
      last_used_at: null,
      revoked_at: null,
    })
    expect(await keysOf(asking)).toContainEqual(entry)
    const { results } = await env.DB.prepare('select * from api_keys where account_id = ?').bind(accountId).all()
    expect(JSON.stringify(results)).not.toContain(key)
    expect(JSON.stringify(await keysOf(asking))).not.toContain(key)
  })

  it('shows assistants individual users on request, and by default only with the scope full', async () => {
    const { key } = await createPlainApplication()
    const shown = async () => (await keysOf(key)).filter(({ persons }) => persons).length
    const before = await shown()
    const personsOf = async (order: Record<string, unknown>) => (await issued(key, order)).persons
    expect(await personsOf({ scope: 'read' })).toBe(false)
    expect(await personsOf({ scope: 'read', persons: true })).toBe(true)
    expect(await personsOf({ scope: 'full' })).toBe(true)
    expect(await personsOf({ scope: 'full', persons: false })).toBe(false)
    expect(await personsOf({ scope: 'client' })).toBe(false)
    expect(await shown()).toBe(before + 2)
    const refused = async (order: Record<string, unknown>) => (await issue(key, { name: 'Key', ...order })).json()
    expect(await refused({ scope: 'client', persons: true })).toEqual({ detail: [faultAt('persons')] })
    expect(await refused({ scope: 'read', persons: 'yes' })).toEqual({ detail: [faultAt('persons', 'bool_type')] })
  })

  it('acts for the application that is named, else as its scope has it', async () => {
    const { key, handle, second } = await createAccountOfTwo()
    const handleOf = async (order: Record<string, unknown>) => (await issued(key, order)).handle
    expect(await handleOf({ scope: 'client', handle: second })).toBe(second)
    expect(await handleOf({ scope: 'full' })).toBe(handle)
    expect(await handleOf({ scope: 'read' })).toBeNull()
    const single = await createPlainApplication()
    expect((await issued(single.key, { scope: 'client' })).handle).toBe(single.handle)
  })

  it('is not issued for clients if several applications are possible', async () => {
    const [several, none] = [await createAccountOfTwo(), await createAccount()]
    for (const { key } of [several, none]) {
      const response = await issue(key, { name: 'Page', scope: 'client' })
      expect([response.status, await response.json()]).toEqual([422, { detail: [faultAt('handle')] }])
      expect((await issued(key, { scope: 'full' })).scope).toBe('full')
    }
  })

  it("is not issued for an unknown application, or another account's", async () => {
    const [own, other] = [await createPlainApplication(), await createPlainApplication()]
    for (const handle of [other.handle, 'nobody_has_this', '', '\ud800', "' or 1=1 --"]) {
      const response = await issue(own.key, { name: 'Key', scope: 'read', handle })
      expect([response.status, await response.json()]).toEqual([422, { detail: [faultAt('handle')] }])
    }
  })

  it('has a name and a scope and no other fields; all faults are reported together', async () => {
    const { key } = await createPlainApplication()
    const body = { name: '', scope: 'admin', handle: 5, scopes: [], account_id: 'x' }
    const { detail } = await (await issue(key, body)).json<{ detail: unknown[] }>()
    expect(detail).toHaveLength(5)
    expect(detail).toEqual(
      expect.arrayContaining([
        faultAt('name', 'string_too_short'),
        faultAt('scope', 'enum'),
        faultAt('handle', 'string_type'),
        { loc: ['body', 'scopes'], type: 'extra_forbidden', msg: 'Extra inputs are not permitted' },
        { loc: ['body', 'account_id'], type: 'extra_forbidden', msg: 'Extra inputs are not permitted' },
      ]),
    )
    const long = await (await issue(key, { name: '🍋'.repeat(101) })).json<{ detail: unknown[] }>()
    expect(long.detail).toEqual([faultAt('name', 'string_too_long'), faultAt('scope', 'missing')])
    expect((await issued(key, { name: '🍋'.repeat(100), scope: 'read' })).name).toHaveLength(200)
  })
})

describe('a key that is revoked', () => {
  it('says since when, and stays as it is when it is revoked again', async () => {
    const { key } = await createPlainApplication()
    const { id } = await issued(key, { scope: 'client' })
    const first = await revoke(key, id)
    expect([first.status, await first.clone().json()]).toMatchObject([
      200,
      { data: { id, revoked_at: expect.any(String) }, status_code: 200, message: 'Success' },
    ])
    expect(await (await revoke(key, id)).text()).toBe(await first.text())
  })

  it('may be the one that asks', async () => {
    const { key } = await createPlainApplication()
    expect((await revoke(key, keyId(hashSecret(key)))).status).toBe(200)
    const row = env.DB.prepare('select revoked_at from api_keys where hash = ?').bind(hashSecret(key))
    expect(await row.first('revoked_at')).toEqual(expect.any(Number))
  })

  it("belongs to the account: another account's key gets the same answer as an unknown one", async () => {
    const [own, other] = [await createPlainApplication(), await createPlainApplication()]
    const answers: unknown[] = []
    for (const id of [keyId(hashSecret(other.key)), '0123456789abcdef', "' or 1=1 --", '%', 'é\0'])
      answers.push(await (await revoke(own.key, id)).text())
    expect(new Set(answers)).toEqual(new Set([JSON.stringify({ detail: 'This account has no such API key.' })]))
    expect((await getJson('/keys', other.key)).status).toBe(200)
    expect((await keysOf(other.key)).every(({ revoked_at }) => revoked_at === null)).toBe(true)
  })
})

describe('a key for reading', () => {
  it('a key issued for an application opens no other of its account', async () => {
    const { key, handle, second, projectId } = await createAccountOfTwo()
    const { key: reading } = await issued(key, { scope: 'read', handle })
    const status = async (path: string, headers = {}) => (await getJson(path, reading, headers)).status
    expect(await status('/users/segmentation')).toBe(200)
    expect(await status('/users/segmentation', { 'x-project-id': projectId })).toBe(403)
    expect(await status(`/enterprise/${handle}`)).toBe(200)
    expect(await status(`/enterprise/${second}`)).toBe(404)
    expect(await status(`/enterprise/${second}/premium-timeseries`)).toBe(404)
    expect(await (await getJson('/enterprise/available-handles', reading)).json()).toEqual([handle])
  })

  it('a key issued for no application opens all of them, by name', async () => {
    const { key, handle, second, projectId } = await createAccountOfTwo()
    const { key: reading } = await issued(key, { scope: 'read' })
    const nameless = await getJson('/users/segmentation', reading)
    expect([nameless.status, await nameless.json()]).toEqual([
      404,
      { detail: expect.stringMatching(/Name one of its account .* x-project-id/) },
    ])
    expect((await getJson('/users/segmentation', reading, { 'x-project-id': projectId })).status).toBe(200)
    expect((await getJson(`/users/segmentation?project=${projectId}`, reading)).status).toBe(200)
    expect((await getJson(`/enterprise/${second}`, reading)).status).toBe(200)
    const handles = await (await getJson('/enterprise/available-handles', reading)).json()
    expect(handles).toEqual([handle, second].toSorted())
  })

  it('gets a 403 that explains its scope outside of questions', async () => {
    const { key } = await createPlainApplication()
    const { key: reading } = await issued(key, { scope: 'read' })
    const response = await issue(reading, { name: 'More', scope: 'full' })
    expect([response.status, await response.json()]).toEqual([
      403,
      { detail: 'This API key is for reading: it opens questions only.' },
    ])
  })
})

describe('when a key was last used', () => {
  const HOUR_MS = 3_600_000
  const hour = Date.UTC(2026, 10, 20, 10)

  afterEach(() => void vi.useRealTimers())

  function ask(key: string, path: string, bindings: Partial<Env> = {}): Promise<Response> {
    return requestWith(bindings, path, { headers: { 'x-api-key': key } })
  }

  async function usedAt(key: string): Promise<unknown> {
    return env.DB.prepare('select last_used_at from api_keys where hash = ?')
      .bind(hashSecret(key))
      .first('last_used_at')
  }

  it('is shown to the hour', async () => {
    const { key } = await createPlainApplication()
    vi.useFakeTimers({ toFake: ['Date'], now: hour + 59 * 60_000 })
    expect(await usedAt(key)).toBeNull()
    await ask(key, '/users/segmentation')
    expect((await keysOf(key)).find(({ id }) => id === keyId(hashSecret(key)))?.last_used_at).toBe(
      new Date(hour).toISOString(),
    )
    vi.setSystemTime(hour + HOUR_MS)
    await ask(key, '/users/segmentation')
    expect(await usedAt(key)).toBe(hour + HOUR_MS)
  })

  it('is no time at which it opened nothing', async () => {
    const { accountId, applicationId } = await createPlainApplication()
    const key = await createKey(accountId, 'client', applicationId)
    expect((await ask(key, '/users/segmentation')).status).toBe(403)
    expect(await usedAt(key)).toBeNull()
  })

  it('is written once for each key and hour, and never backwards', async () => {
    const { key } = await createPlainApplication()
    const { DB, asked } = recordedDatabase()
    vi.useFakeTimers({ toFake: ['Date'], now: hour })
    for (let request = 0; request < 3; request++) await ask(key, '/users/segmentation', { DB })
    expect(asked.filter((text) => text.includes('last_used_at" ='))).toHaveLength(1)
    // Another isolate, whose clock is behind.
    await noteUse({ db: openDatabase(env.DB), keyHash: hashSecret(key), now: hour - 1 })
    expect(await usedAt(key)).toBe(hour)
  })

  it('is tried again a minute later where the database was away, and holds up nothing', async () => {
    const { key } = await createPlainApplication()
    const askAt = async (now: number, bindings: Partial<Env> = {}) => {
      vi.setSystemTime(now)
      const response = await requestWith(bindings, '/v1/client/config', { headers: { authorization: key } })
      return [response.status, await usedAt(key)]
    }
    vi.useFakeTimers({ toFake: ['Date'] })
    expect(await askAt(hour - 30_000)).toEqual([200, hour - HOUR_MS])
    const away = { DB: databaseAway(), CACHE: rejecting<KVNamespace>() }
    expect(await askAt(hour + 10_000, away)).toEqual([200, hour - HOUR_MS])
    expect(await askAt(hour + 69_999)).toEqual([200, hour - HOUR_MS])
    expect(await askAt(hour + 70_000)).toEqual([200, hour])
  })
})
