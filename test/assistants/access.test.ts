import { env } from 'cloudflare:workers'
import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createPlainApplication } from '../support/applications.ts'
import { call, connectAssistant, toolsOf } from '../support/assistant.ts'
import { createAccount, createKey, getJson, postJson, registrationOf, request } from '../support/client.ts'
import { deliver, messagesOf } from '../support/delivery.ts'
import { databaseAway, requestWith } from '../support/failures.ts'

const MESSAGE = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
const ACCEPT = { accept: 'application/json, text/event-stream' }

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** An account with two applications: the first has two users today, the second has one. */
async function createAccountOfTwo() {
  const first = await createPlainApplication()
  const handle = `second_${randomUUID().slice(0, 8)}`
  const registered = await postJson('/applications/register', first.key, registrationOf(handle))
  const { project_id: projectId } = await registered.json<{ project_id: string }>()
  const id = await env.DB.prepare('select id from applications where handle = ?').bind(handle).first<number>('id')
  const second = { handle, projectId, applicationId: id as number }
  const visit = (telegramId: number) => ({ event_type: 'visit', telegram_id: telegramId, datetime: Date.now() - 1000 })
  await deliver(messagesOf(first.applicationId, [visit(1), visit(2)]))
  await deliver(messagesOf(second.applicationId, [visit(3)]))
  return { ...first, second }
}

type Assistant = Awaited<ReturnType<typeof connectAssistant>>

async function users(client: Assistant, args: Record<string, unknown> = {}): Promise<unknown> {
  const { json, text } = await call(client, 'segmentEvents', { event: 'visit', ...args })
  return (json as { yValues?: { key_value: number }[] }).yValues?.[0]?.key_value ?? text
}

describe('a key', () => {
  it('is refused as everywhere where it opens no questions, is unknown or is missing', async () => {
    const { accountId, applicationId } = await createPlainApplication()
    const client = await createKey(accountId, 'client', applicationId)
    const statusOf = async (headers: Record<string, string>) => {
      const response = await postJson('/mcp', '', MESSAGE, { ...ACCEPT, ...headers })
      return [response.status, (await response.json<{ detail: string }>()).detail]
    }
    const refusal = [
      403,
      'This API key is for tracking clients: it opens the client configuration and collection only.',
    ]
    expect(await statusOf({ 'x-api-key': client })).toEqual(refusal)
    expect(await statusOf({ authorization: `Bearer ${client}` })).toEqual(refusal)
    expect(await statusOf({ authorization: `Bearer ${randomUUID()}` })).toEqual([
      401,
      expect.stringContaining('unknown'),
    ])
    expect(await statusOf({ authorization: 'Bearer x' })).toEqual([401, expect.stringContaining('unknown')])
    expect(await statusOf({})).toEqual([401, expect.stringContaining('API key')])
    const { headers } = await request('/mcp', { method: 'POST' })
    expect(headers.get('www-authenticate')).toBe('Bearer realm="mauve"')
  })

  it('opens nothing to a page of another site, and everything to one of its own', async () => {
    const { key } = await createPlainApplication()
    const statusFrom = async (origin: Record<string, string>) =>
      (await postJson('/mcp', key, MESSAGE, { ...ACCEPT, ...origin })).status
    expect(await statusFrom({})).toBe(200)
    expect(await statusFrom({ origin: 'https://mauve.test' })).toBe(200)
    for (const origin of ['https://evil.example', 'http://mauve.test', 'https://mauve.test:8443', 'null']) {
      expect(await statusFrom({ origin }), origin).toBe(403)
    }
  })

  it('a key for one application sees no other', async () => {
    const { accountId, applicationId, handle, second } = await createAccountOfTwo()
    const client = await connectAssistant({ key: await createKey(accountId, 'read', applicationId) })
    expect(await users(client)).toBe(2)
    expect(await users(client, { project: second.projectId })).toMatch(/^project: Extra inputs are not permitted/)
    const described = await call(client, 'describeApplication')
    expect(described.json).toMatchObject({ application: { handle }, applications: [{ handle }] })
    expect(JSON.stringify(described)).not.toContain(second.handle)
    const other = await call(client, 'describeApplication', { project: second.projectId })
    expect([other.isError, other.text]).toEqual([true, expect.stringMatching(/^project: Extra inputs/)])
    expect((await call(client, 'listAvailableHandles')).json).toEqual([handle])
    expect((await call(client, 'getEnterpriseSummary', { handle: second.handle })).isError).toBe(true)
    const reading = await createKey(accountId, 'read', applicationId)
    const elsewhere = await postJson('/mcp', reading, MESSAGE, { ...ACCEPT, 'x-project-id': second.projectId })
    expect(elsewhere.status).toBe(403)
  })

  it('a key for all applications asks about the one that a call names', async () => {
    const { accountId, handle, second } = await createAccountOfTwo()
    const client = await connectAssistant({ key: await createKey(accountId, 'read') })
    expect(await users(client)).toMatch(/Name one of its account by its project id/)
    expect(await users(client, { project: second.projectId })).toBe(1)
    const { json } = await call(client, 'describeApplication')
    const listed = [expect.objectContaining({ handle }), expect.objectContaining({ handle: second.handle })]
    expect(json).toEqual({ application: null, applications: expect.arrayContaining(listed) })
    const named = await call(client, 'describeApplication', { project: second.projectId })
    expect(named.json).toMatchObject({ application: { handle: second.handle, project_id: second.projectId } })
    expect(named.notes.page).toBe(`https://mauve.test/dashboard/${second.handle}`)
  })

  it.each([
    ['header', (projectId: string) => ({ headers: { 'x-project-id': projectId } })],
    ['address', (projectId: string) => ({ path: `/mcp?project=${projectId}` })],
  ])('asks about the application that the %s of its connection names, and no other', async (_, naming) => {
    const { key, second } = await createAccountOfTwo()
    const client = await connectAssistant({ key, ...naming(second.projectId) })
    expect(await users(client)).toBe(1)
    expect((await call(client, 'describeApplication')).json).toMatchObject({ application: { handle: second.handle } })
    for (const { inputSchema } of await toolsOf(client)) expect(inputSchema.properties).not.toHaveProperty('project')
    expect(await users(client, { project: second.projectId })).toMatch(/^project: Extra inputs are not permitted/)
  })

  it('a key of another account does not open a project', async () => {
    const [{ second }, { key }] = [await createAccountOfTwo(), await createPlainApplication()]
    expect(await users(await connectAssistant({ key }), { project: second.projectId })).toMatch(/does not open/)
    const response = await postJson('/mcp', key, MESSAGE, { ...ACCEPT, 'x-project-id': second.projectId })
    expect(response.status).toBe(403)
  })

  it('a key without any application gets an error that says to register one', async () => {
    const { key } = await createAccount()
    const client = await connectAssistant({ key })
    expect(await users(client)).toMatch(/Register one: POST \/applications\/register/)
    expect((await call(client, 'describeApplication')).json).toEqual({ application: null, applications: [] })
  })
})

it('what describes an application says what the operations do, and which reports are saved', async () => {
  const { key, applicationId, handle, accountId } = await createPlainApplication()
  const time = Date.UTC(2026, 9, 20, 10)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 20) })
  await deliver(
    messagesOf(applicationId, [
      { event_type: 'visit', telegram_id: 1, datetime: time, start_parameter: 'ads' },
      { event_type: 'visit', telegram_id: 1, datetime: Date.UTC(2026, 10, 19), params: { plan: 'a' } },
    ]),
  )
  await env.DB.prepare('insert into saved_questions (application_id, name, address, created_at) values (?, ?, ?, 0)')
    .bind(applicationId, 'Plans', 'events?event=visit&group_by=params.plan')
    .run()
  await env.DB.prepare('update applications set kept_from = 20000, keep_months = 24 where id = ?')
    .bind(applicationId)
    .run()
  const client = await connectAssistant({ key: await createKey(accountId, 'read', applicationId) })
  const { json, text } = await call(client, 'describeApplication')
  const dataOf = async (path: string) => (await (await getJson(path, key)).json<{ data: unknown[] }>()).data
  expect(json).toMatchObject({
    application: { handle, name: 'Lemon Shop', time_zone: 'UTC', today: '2026-11-20' },
    first_event_at: new Date(time).toISOString(),
    data_since: '2024-11-03',
    events: await dataOf('/events/names'),
    properties: await dataOf('/properties'),
    sources: [{ value: 'ads', events: 1, users: 1 }],
    cohorts: [],
    saved_questions: [
      { name: 'Plans', page: `https://mauve.test/dashboard/${handle}/events?event=visit&group_by=params.plan` },
    ],
  })
  expect(text).toContain('| visit | 1 | 1 |')
})

describe('the budget for questions', () => {
  const spent = { limit: async () => ({ success: false }) } as RateLimit
  /** So many are let through by the isolate's own count. */
  const UNCHECKED = 20

  it('counts the questions of an assistant, and not what else it says', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 20) + 3_000 })
    const { key } = await createPlainApplication()
    const ask = (path: string, init?: RequestInit) => requestWith({ QUESTIONS_BY_KEY: spent }, path, init)
    const client = await connectAssistant({ key, ask })
    for (let count = 0; count <= UNCHECKED; count++) {
      await toolsOf(client)
      expect((await call(client, 'listAnnotations')).isError).toBe(false)
    }
    expect((await call(client, 'describeApplication')).text).toMatch(
      /^The budget of this API key for questions is spent/,
    )
    const { isError, text, notes, json } = await call(client, 'listAnnotations')
    const detail = 'The budget of this API key for questions is spent. Try again in 7 seconds.'
    expect([isError, text, notes['retry-after'], json]).toEqual([true, detail, '7', { detail }])
    expect((await getJson('/annotations', key)).status).toBe(429)
    expect((await toolsOf(client)).length).toBeGreaterThan(20)
  })

  it('is that of the network as well', async () => {
    const from = `2001:db8:${randomUUID().slice(0, 4)}:${randomUUID().slice(0, 4)}::7`
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 21) + 3_000 })
    const { key } = await createPlainApplication()
    const ask = (path: string, init?: RequestInit) => requestWith({ QUESTIONS_BY_ADDRESS: spent }, path, init)
    const client = await connectAssistant({ key, ask, headers: { 'cf-connecting-ip': from } })
    for (let count = 0; count <= UNCHECKED; count++) await call(client, 'listAnnotations')
    expect((await call(client, 'listAnnotations')).text).toMatch(/^The budget of this address for questions is spent/)
  })
})

it('an unavailable component is reported in the words of the API, even when the applications are listed', async () => {
  const { key } = await createPlainApplication()
  let bindings: Partial<Env> = {}
  const client = await connectAssistant({ key, ask: (path, init) => requestWith(bindings, path, init) })
  bindings = { DB: databaseAway() }
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const { isError, text } = await call(client, 'listAnnotations')
  expect([isError, text]).toEqual([true, expect.stringMatching(/database.* Request id: /s)])
})

it('every question is logged under its own name, without naming a person', async () => {
  const { key } = await createPlainApplication()
  const lines: string[] = []
  vi.spyOn(console, 'log').mockImplementation((line) => void lines.push(line))
  const client = await connectAssistant({ key })
  await call(client, 'getUser', { telegram_id: 7_234_567_890 })
  const logged = lines.map((line) => JSON.parse(line))
  expect(logged.map(({ operation, path }) => [operation, path])).toContainEqual(['getUser', '/users/{telegram_id}'])
  expect(logged.map(({ operation, path }) => [operation, path])).toContainEqual(['mcp', '/mcp'])
  expect(lines.join()).not.toMatch(new RegExp(`7234567890|${key}`))
})
