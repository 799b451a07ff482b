import fc from 'fast-check'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createPlainApplication, type PlainApplication } from '../support/applications.ts'
import { call, connectAssistant, toolsOf } from '../support/assistant.ts'
import { holds } from '../support/cases.ts'
import { request } from '../support/client.ts'
import { deliver, messagesOf } from '../support/delivery.ts'

const MEBIBYTE = 1_048_576

let application: PlainApplication
let failures: string[] = []

beforeAll(async () => {
  application = await createPlainApplication()
  const time = Date.now() - 60_000
  const params = { text: 'x'.repeat(1_000), other: 'y'.repeat(1_000), third: 'z'.repeat(1_000) }
  const events = Array.from({ length: 400 }, (_, index) => ({
    event_type: 'Large',
    telegram_id: 1,
    datetime: time + index,
    params,
  }))
  await deliver(messagesOf(application.applicationId, events))
})

beforeEach(() => {
  failures = []
  vi.spyOn(console, 'error').mockImplementation((line) => void failures.push(line))
})
afterEach(() => {
  expect(failures).toEqual([])
  vi.restoreAllMocks()
})

interface Said {
  readonly status: number
  readonly messages: readonly {
    readonly result?: unknown
    readonly error?: { readonly code: number; readonly message: string }
  }[]
}

const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

async function post(body: BodyInit, headers: Record<string, string> = {}): Promise<Said> {
  const init = { method: 'POST', headers: { 'x-api-key': application.key, ...HEADERS, ...headers }, body }
  const response = await request('/mcp', init)
  const text = await response.text()
  const isStream = response.headers.get('content-type') === 'text/event-stream'
  const texts = isStream ? [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => data) : text === '' ? [] : [text]
  return { status: response.status, messages: texts.map((one) => JSON.parse(one)) }
}

function say(message: unknown, headers?: Record<string, string>): Promise<Said> {
  return post(JSON.stringify(message), headers)
}

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
const asking = (id: unknown, name: unknown, args: unknown) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
})

describe('a message', () => {
  it('any JSON, and nearly a message, is answered, refused or passed over', async () => {
    const message = fc.record(
      {
        jsonrpc: fc.oneof({ weight: 4, arbitrary: fc.constant('2.0') }, fc.jsonValue()),
        id: fc.oneof(fc.integer(), fc.string(), fc.jsonValue()),
        method: fc.oneof(
          fc.constantFrom('tools/call', 'tools/list', 'initialize', 'ping', 'server/discover', 'subscriptions/listen'),
          fc.constantFrom(
            'notifications/initialized',
            'notifications/cancelled',
            'resources/list',
            '__proto__',
            'constructor',
          ),
          fc.string(),
        ),
        params: fc.oneof(
          fc.record({
            name: fc.constantFrom('getUser', '__proto__', 'describeApplication'),
            arguments: fc.jsonValue(),
          }),
          fc.record({ protocolVersion: fc.string(), capabilities: fc.jsonValue(), clientInfo: fc.jsonValue() }),
          fc.record({
            _meta: fc.dictionary(fc.constantFrom('io.modelcontextprotocol/protocolVersion', 'x'), fc.jsonValue()),
          }),
          fc.jsonValue(),
        ),
      },
      { requiredKeys: [] },
    )
    const body = fc.oneof(message, fc.array(message, { maxLength: 4 }), fc.jsonValue())
    await holds(
      fc.asyncProperty(body, async (said) => {
        const { status, messages } = await say(said)
        expect([200, 202, 400, 404]).toContain(status)
        expect(messages.filter(({ error }) => error?.message === 'Internal server error')).toEqual([])
      }),
      { atLeast: 20, atMost: 4_000 },
    )
  })

  it.each<[what: string, body: () => BodyInit, status: number, headers?: Record<string, string>]>([
    ['nothing', () => '', 400],
    ['no JSON', () => '{"jsonrpc"', 400],
    ['bytes', () => new Uint8Array([0, 255, 254, 1]), 400],
    ['half a million lists in each other', () => '['.repeat(500_000) + ']'.repeat(500_000), 400],
    ['more than a mebibyte', () => JSON.stringify({ ...LIST, params: { x: 'x'.repeat(MEBIBYTE) } }), 413],
    ['more messages than a batch may have', () => JSON.stringify(Array(101).fill(LIST)), 400],
    ['another type', () => JSON.stringify(LIST), 415, { 'content-type': 'text/plain' }],
    ['a version that does not exist', () => JSON.stringify(LIST), 400, { 'mcp-protocol-version': '1999-01-01' }],
    ['a client that takes no stream', () => JSON.stringify(LIST), 406, { accept: 'text/html' }],
  ])('a message with %s is refused', async (_, body, status, headers) => {
    expect((await post(body(), headers)).status).toBe(status)
  })

  it('a hundred thousand nested objects get an error, and do not affect the next message', async () => {
    const nested = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`
    const body = JSON.stringify(asking(1, 'segmentEvents', 0)).replace(
      '"arguments":0',
      `"arguments":{"event":${nested}}`,
    )
    const { status } = await post(body)
    expect(status).toBeLessThan(500)
    expect((await say(LIST)).status).toBe(200)
  })

  it('a message that expects no answer gets none', async () => {
    expect(await say({ jsonrpc: '2.0', method: 'notifications/initialized' })).toEqual({ status: 202, messages: [] })
  })
})

it.each([
  ['2024-11-05', '2024-11-05'],
  ['2025-03-26', '2025-03-26'],
  ['2025-06-18', '2025-06-18'],
  ['2025-11-25', '2025-11-25'],
  ['2030-01-01', '2025-11-25'],
])('a handshake that asks for version %s is answered with %s', async (protocolVersion, answered) => {
  const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'x', version: '1' } }
  const { messages } = await say({ jsonrpc: '2.0', id: 'a', method: 'initialize', params })
  const capabilities = { tools: {} }
  expect(messages).toMatchObject([
    { id: 'a', result: { protocolVersion: answered, capabilities, serverInfo: { name: 'mauve' } } },
  ])
  expect(await say({ jsonrpc: '2.0', id: 2, method: 'ping' })).toMatchObject({ messages: [{ id: 2, result: {} }] })
})

it('a batch of older clients is answered message by message, each of its questions for itself', async () => {
  const asked = Array.from({ length: 20 }, (_, id) => asking(id, id % 2 === 0 ? 'listAnnotations' : 'none', {}))
  const { status, messages } = await say(asked)
  expect([status, messages.length]).toEqual([200, 20])
  expect(messages.filter(({ error }) => error?.code === -32602)).toHaveLength(10)
  expect(messages.filter(({ result }) => result !== undefined)).toHaveLength(10)
})

it.each(['GET', 'DELETE', 'PUT', 'HEAD'])(
  '%s is no method: there is no stream, and no session to end',
  async (method) => {
    const response = await request('/mcp', { method, headers: { 'x-api-key': application.key, ...HEADERS } })
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
  },
)

it('a subscription is refused and ends immediately', async () => {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'x', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const listening = {
    jsonrpc: '2.0',
    id: 1,
    method: 'subscriptions/listen',
    params: { notifications: { toolsListChanged: true }, _meta },
  }
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' }
  const { messages } = await say(listening, headers)
  expect(messages).toMatchObject([{ error: { message: expect.stringMatching(/limit/i) } }])
})

describe('arguments', () => {
  it('any arguments get an answer or faults, for every tool', async () => {
    const client = await connectAssistant({ key: application.key })
    const names = (await toolsOf(client)).map(
      ({ name, inputSchema }) => [name, Object.keys(inputSchema.properties ?? {})] as const,
    )
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom('..', '.', '', '%2e%2e', '\0', '\ud800', 'a/b', '?#', -1),
    )
    const asked = fc.constantFrom(...names).chain(([name, known]) =>
      fc.record({
        name: fc.constant(name),
        args: fc.dictionary(
          fc.oneof(fc.constantFrom(...known), fc.constantFrom('__proto__', 'toString', 'x-api-key')),
          value,
          { maxKeys: 4 },
        ),
      }),
    )
    await holds(
      fc.asyncProperty(asked, async ({ name, args }) => {
        const { isError, json, text } = await call(client, name, args)
        if (!isError) return
        const { detail } = json as { detail: unknown }
        expect(text).not.toMatch(/on our side/)
        if (Object.hasOwn(args, 'toString')) expect(text).toContain('Extra inputs')
        expect(Array.isArray(detail) || typeof detail === 'string').toBe(true)
      }),
      { atLeast: 20, atMost: 2_000 },
    )
  })

  it('arguments that a tool does not know are reported together, with those that it takes', async () => {
    const client = await connectAssistant({ key: application.key })
    const { isError, json, text } = await call(client, 'analyzeFunnel', {
      event: 'a',
      order: ['any'],
      window_seconds: {},
      x: 1,
    })
    expect(isError).toBe(true)
    const extra = {
      type: 'extra_forbidden',
      msg: expect.stringMatching(/^Extra inputs are not permitted. This tool takes events, order,/),
    }
    expect(json).toEqual({
      detail: [
        { loc: ['query', 'event'], ...extra },
        { loc: ['query', 'x'], ...extra },
        { loc: ['query', 'order'], type: 'string_type', msg: 'Input should be a valid string' },
        { loc: ['query', 'window_seconds'], type: 'int_type', msg: 'Input should be a valid integer' },
      ],
    })
    expect(text.split('\n')).toHaveLength(4)
    const faults = await call(client, 'analyzeFunnel', { events: ['a'], start: 'yesterday' })
    const over = await request('/funnels?events=a&start=yesterday', { headers: { 'x-api-key': application.key } })
    expect([faults.isError, faults.json]).toEqual([true, await over.json()])
  })

  it.each(['..', '.', ''])('cannot lead elsewhere by a path: %j', async (text) => {
    const client = await connectAssistant({ key: application.key })
    const { isError, json } = await call(client, 'listPropertyValues', { property: text })
    const fault = {
      loc: ['path', 'property'],
      type: 'value_error',
      msg: 'Input should be text that an address can hold',
    }
    expect([isError, json]).toEqual([true, { detail: [fault] }])
  })

  it('arguments that ask for more than a mebibyte get an error that says to ask for less', async () => {
    const client = await connectAssistant({ key: application.key })
    const { isError, text } = await call(client, 'exportEvents')
    expect([isError, text]).toEqual([true, expect.stringMatching(/^The answer is larger than 1 MiB. Ask for less/)])
    const { json } = await call(client, 'exportEvents', { limit: 3 })
    expect(json).toHaveLength(4)
    // The export that was given up has ended: another one may run.
    for (let again = 0; again < 3; again++) expect((await call(client, 'exportEvents')).text).toMatch(/Ask for less/)
  })
})
