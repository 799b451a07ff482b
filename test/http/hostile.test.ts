import { env } from 'cloudflare:workers'
import { gzipSync } from 'node:zlib'
import { z } from '@hono/zod-openapi'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { operations } from '../../src/app.ts'
import type { ApplicationObject } from '../../src/object/application-object.ts'
import { createSealedApplication, type SealedApplication } from '../support/applications.ts'
import { holds } from '../support/cases.ts'
import { requestWith } from '../support/failures.ts'
import { sealWithHexSecrets } from '../support/tracking-clients.ts'

/** Fixed, so that every run tries the same cases. */
const SEED = 20_261_120
const PATIENCE_MS = 60_000

const KEY_HEADERS = ['x-api-key', 'authorization', 'tga-auth-token'] as const

let application: SealedApplication
let before: unknown
let logged: string[] = []
/** Events that reached the queue. */
const queued: unknown[] = []
/** One key asks all of this. */
const UNLIMITED: object = {
  ...Object.fromEntries(
    Object.keys(env)
      .filter(isLimiter)
      .map((name) => [name, undefined]),
  ),
  // As on the first seals of a day that do not open: they are told.
  APPLICATIONS: {
    getByName: (name: string) => ({
      ask: (...asked: Parameters<ApplicationObject['ask']>) => env.APPLICATIONS.getByName(name).ask(...asked),
      countUnopenedSeals: async () => true,
      countUse: async () => [],
    }),
  },
}
const EVENTS = {
  async sendBatch(messages: Iterable<{ readonly body: string }>) {
    for (const { body } of messages) queued.push(...JSON.parse(body).events)
  },
} as unknown as Queue

beforeAll(async () => {
  application = await createSealedApplication()
  before = await countRows()
})

beforeEach(() => {
  logged = []
  vi.spyOn(console, 'log').mockImplementation((line) => void logged.push(line))
  vi.spyOn(console, 'error').mockImplementation((line) => void logged.push(line))
})
afterAll(async () => {
  expect(await countRows()).toEqual(before)
  expect(queued).toEqual([])
})

/** Without dead letters: late messages of earlier tests, whose applications are gone, become some. `queued` says that ours do not. */
async function countRows(): Promise<unknown> {
  const tables = env.DB.prepare(
    "select name from sqlite_master where type = 'table' and name not glob '_cf_*' and name not in ('dead_letters', 'sqlite_sequence')",
  )
  const { results } = await tables.all<{ name: string }>()
  const counts = await env.DB.batch(results.map(({ name }) => env.DB.prepare(`select count(*) as n from ${name}`)))
  return counts.map(({ results: [count] }, index) => [results[index]?.name, count])
}

function isLimiter(name: string): boolean {
  return /_BY_(KEY|ADDRESS)$/.test(name)
}

/** Texts that have hurt others before. */
const nasty = fc.constantFrom(
  '',
  '\0',
  'a\0b',
  '\ud800',
  'x\udfff',
  '\u202e\u200b',
  '__proto__',
  'constructor',
  'toString',
  "' or 1=1 --",
  '"; drop table users; --',
  '{{7*7}}',
  '../../etc/passwd',
  '%00%ff%E0%A4%A',
  '1e309',
  '-0',
  '9007199254740993',
  '99999999999999999999999999',
  'NaN',
  '[[[[',
  '{"$gt":""}',
  '\r\nset-cookie: a=b',
  '🍋'.repeat(300),
  'x'.repeat(5_000),
)

const text = fc.oneof(nasty, fc.string({ unit: 'binary', maxLength: 40 }), fc.string({ maxLength: 20 }))

/** A part of an address, encoded as `encodeURIComponent` does, even for texts that it refuses; or the bytes as they are. */
const urlPart = fc.oneof(
  text.map((value) => encodeURIComponent(value.toWellFormed())),
  fc.stringMatching(/^(%[0-9a-fA-F]{2}|%|[!-~]){0,12}$/).map((value) => value.replaceAll('#', '')),
)

/** Header values are bytes without line feeds and NUL; blanks at their ends are not theirs. */
const headerValue = text.map((value) =>
  value
    .replace(/[^\x20-\x7e\x80-\xff]/g, '?')
    .slice(0, 4_000)
    .trim(),
)

/** The query parameters of all operations. */
const PARAMETERS = [
  ...new Set(
    operations.flatMap(({ contract: { request } }) =>
      request?.query instanceof z.ZodObject ? Object.keys(request.query.shape) : [],
    ),
  ),
  'project',
]

const query = fc
  .array(fc.tuple(fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...PARAMETERS) }, urlPart), urlPart), {
    maxLength: 5,
  })
  .map((pairs) => (pairs.length > 0 ? `?${pairs.map((pair) => pair.join('=')).join('&')}` : ''))

const path = fc.oneof(
  { weight: 3, arbitrary: urlPart.map((part) => `/monthly-active-users/timeseries/${part}`) },
  { weight: 2, arbitrary: urlPart.map((part) => `/enterprise/${part}/premium-timeseries`) },
  {
    weight: 8,
    arbitrary: fc.constantFrom(
      '/monthly-active-users/growth-trend',
      '/users/segmentation',
      '/users/segmentation/aggregated',
      '/users/activity',
      '/retention',
      '/funnels',
      '/events/segmentation',
      '/enterprise/available-handles',
      '/v1/client/config',
      '/health',
    ),
  },
  { weight: 1, arbitrary: fc.array(urlPart, { maxLength: 4 }).map((parts) => `/${parts.join('/')}`) },
)

const NAMES = 'x-project-id cf-connecting-ip x-request-id cf-ray origin user-agent accept cookie range'.split(' ')

const headers = fc.dictionary(fc.constantFrom(...NAMES), headerValue, { maxKeys: 3 })

interface Asked {
  readonly path: string
  readonly init: RequestInit
}

/** Asks and waits for the whole answer; whatever is asked, the service knows what to say of it. */
async function ask({ path, init }: Asked): Promise<number> {
  const answer = requestWith({ ...UNLIMITED, EVENTS }, path, init).then(async (response) => {
    await response.arrayBuffer()
    return response.status
  })
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(reject, PATIENCE_MS, new Error('No answer'))
  const status = await Promise.race([answer, late]).finally(() => clearTimeout(timer))
  if (status >= 500) throw new Error(`${status}: ${logged.join('\n')}`)
  logged = []
  return status
}

/** The key is good: what is behind it is to be met. */
function withKey(headers: Record<string, string>): Record<string, string> {
  return { ...headers, ...Object.fromEntries(KEY_HEADERS.map((name) => [name, application.key])) }
}

/** What needs no key: the health, what a package asks for, and the root, which leads to the reference. */
const OPEN = new Set(['/', '/health', '/events/threshold'])

/** What a URL is made of may be none at all. */
function isAddress(path: string): boolean {
  return URL.canParse(`https://mauve.test${path}`)
}

describe('a question', () => {
  it('a question with any path, query and headers gets an answer of the contract', async () => {
    const asked = fc.record({ path, query, headers })
    await holds(
      fc.asyncProperty(asked, async ({ path, query, headers }) => {
        fc.pre(isAddress(path + query))
        await ask({ path: path + query, init: { headers: withKey(headers) } })
      }),
      { atLeast: 20, atMost: 3_000, seed: SEED },
    )
  })

  it('a question with anything for a key gets an answer of the contract', async () => {
    const asked = fc.record({ path, headers, name: fc.constantFrom(...KEY_HEADERS), key: headerValue })
    await holds(
      fc.asyncProperty(asked, async ({ path, headers, name, key }) => {
        fc.pre(isAddress(path))
        const status = await ask({ path, init: { headers: { ...headers, [name]: key } } })
        if (!OPEN.has(path)) expect([401, 404]).toContain(status)
      }),
      { atLeast: 20, atMost: 1_000, seed: SEED },
    )
  })

  it('a question with any method gets an answer of the contract', async () => {
    const method = fc.constantFrom('PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD', 'POST', 'PROPFIND', 'LOCK')
    await holds(
      fc.asyncProperty(path, method, headers, async (path, method, headers) => {
        fc.pre(isAddress(path))
        await ask({ path, init: { method, headers: withKey(headers) } })
      }),
      { atLeast: 20, atMost: 600, seed: SEED },
    )
  })
})

/** JSON as text, so that it may hold what no value of ours can: twice the same key, numbers of any size. */
const scalar = fc.oneof(
  text.map((value) => JSON.stringify(value)),
  fc.constantFrom(
    'null',
    'true',
    '-0',
    '1e400',
    '-1e400',
    '1e-400',
    '123456789012345678901234567890',
    '0.1e1',
    '""',
    '"\\u0000"',
  ),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
)

const FIELDS = (
  'event_type eventType telegram_id telegramID datetime timestamp session_id event_id params userDetails ' +
  'eventDetails key iv body name link description photo_url __proto__ constructor toString'
).split(' ')

const field = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...FIELDS) }, text).map((name) => JSON.stringify(name))

const { json } = fc.letrec<{ json: string; object: string; list: string }>((tie) => ({
  json: fc.oneof({ maxDepth: 4 }, scalar, tie('object'), tie('list')),
  object: fc
    .array(fc.tuple(field, tie('json')), { maxLength: 6 })
    .map((pairs) => `{${pairs.map((pair) => pair.join(':')).join(',')}}`),
  list: fc.array(tie('json'), { maxLength: 5 }).map((items) => `[${items.join(',')}]`),
}))

/** Values that are good but for one thing: that they are none of ours is seen late. */
const nearlyEvent = fc
  .record({ name: field, value: json })
  .map(
    ({ name, value }) =>
      `{"event_type":"Order","telegram_id":"none","datetime":"2026-11-20T10:00:00Z",${name}:${value},"telegram_id":[]}`,
  )

const body = fc.oneof(
  json,
  nearlyEvent,
  json.map((text) => JSON.stringify(text)),
  json.map((text) => text.slice(0, -1)),
)

const POSTS = ['/v1/client/events', '/applications/register', '/events'] as const

function post(path: string, body: BodyInit, headers: Record<string, string> = {}): Promise<number> {
  return ask({
    path,
    init: { method: 'POST', body, headers: withKey({ 'content-type': 'application/json', ...headers }) },
  })
}

describe('a body', () => {
  it('with any JSON, and nearly JSON', async () => {
    await holds(
      fc.asyncProperty(fc.constantFrom(...POSTS), body, headers, async (path, body, headers) => {
        const { 'x-project-id': _, ...others } = headers
        expect(await post(path, body, others)).toBe(422)
      }),
      { atLeast: 20, atMost: 4_000, seed: SEED },
    )
  })

  it('with any bytes', async () => {
    await holds(
      fc.asyncProperty(fc.constantFrom(...POSTS), fc.uint8Array({ maxLength: 300 }), async (path, bytes) => {
        expect(await post(path, bytes)).toBe(422)
      }),
      { atLeast: 20, atMost: 300, seed: SEED },
    )
  })

  it('whose type lies, or that is packed', async () => {
    const types = ['text/plain', 'application/xml', 'multipart/form-data', 'application/jsonp', '', 'json']
    const type = fc.constantFrom(...types)
    const event = '{"event_type":"Order","telegram_id":7,"datetime":"2026-11-20T10:00:00Z"}'
    await holds(
      fc.asyncProperty(fc.constantFrom(...POSTS), fc.oneof(type, headerValue), async (path, type) => {
        fc.pre(!/json/i.test(type) || type === 'json' || type === 'application/jsonp')
        expect(await post(path, event, { 'content-type': type })).toBe(415)
      }),
      { atLeast: 20, atMost: 200, seed: SEED },
    )
    for (const encoding of ['gzip', 'deflate', 'br', 'identity, gzip', 'x']) {
      expect(await post(POSTS[0], event, { 'content-encoding': encoding })).toBe(415)
    }
  })

  it.each<[what: string, body: () => BodyInit, status: number, headers?: Record<string, string>]>([
    [
      'a hundred megabytes in a hundred kilobytes',
      () => gzipSync(Buffer.alloc(100_000_000)),
      415,
      { 'content-encoding': 'gzip' },
    ],
    ['the same, not said to be packed', () => gzipSync(Buffer.alloc(100_000_000)), 422],
    ['half a million lists in each other', () => '['.repeat(500_000) + ']'.repeat(500_000), 422],
    ['a hundred thousand objects in each other', () => `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`, 422],
    ['the same as parameters of nobody', () => eventOfNobody(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`), 422],
    ['half a million numbers', () => `[${'1,'.repeat(500_000)}1]`, 422],
    ['a hundred thousand keys', () => `{${Array.from({ length: 80_000 }, (_, n) => `"k${n}":1`).join(',')}}`, 422],
    ['one key a hundred thousand times', () => `{${'"a":1,'.repeat(100_000)}"a":1}`, 422],
    ['a number of a million digits', () => '9'.repeat(1_000_000), 422],
    ['a text of a million escapes', () => `"${'\\u0000'.repeat(170_000)}"`, 422],
    [
      'a JSON text in a JSON text in a JSON text',
      () => JSON.stringify(JSON.stringify(JSON.stringify({ key: 'a' }))),
      422,
    ],
    ['a million blanks', () => ' '.repeat(1_000_000), 422],
    ['more than a mebibyte', () => ' '.repeat(1_100_000), 413],
  ])('of %s', async (_, body, status, headers) => {
    // It takes packed bodies, and counts what comes out.
    const statusOf = (path: string) => (headers && path === '/events' ? 413 : status)
    for (const path of POSTS) expect(await post(path, body(), headers)).toBe(statusOf(path))
  })
})

/** What parameters hold is never a fault. */
function eventOfNobody(params: string): string {
  return `{"event_type":"Order","telegram_id":0,"datetime":"2026-11-20T10:00:00Z","params":${params}}`
}

/**
 * 16 bytes of JSON to a property: each block of the cipher begins outside of a text, so that a block that is changed is no
 * JSON any more. (Clients sign nothing: a change within a long text would be another event of whoever has the key.)
 */
const SEALED_EVENT = { telegramID: 7, eventType: 'O', timestamp: '1' }

describe('a sealed event', () => {
  const PARTS = ['key', 'iv', 'body'] as const

  /** What may happen to the bytes of a part; never nothing. */
  const change = fc.oneof(
    fc.record({ kind: fc.constant('flip'), index: fc.nat(10_000), bit: fc.nat(7) }),
    fc.record({ kind: fc.constantFrom('cut', 'append'), length: fc.integer({ min: 1, max: 48 }) }),
    fc.record({ kind: fc.constant('replace'), bytes: fc.uint8Array({ maxLength: 300 }) }),
  )

  type Change = typeof change extends fc.Arbitrary<infer T> ? T : never

  function apply(change: Change, part: string): string {
    const bytes = Buffer.from(part, 'base64')
    if ('index' in change)
      bytes.writeUInt8(bytes.readUInt8(change.index % bytes.length) ^ (1 << change.bit), change.index % bytes.length)
    if ('bytes' in change) return Buffer.from(change.bytes).toString('base64')
    if (!('length' in change)) return bytes.toString('base64')
    if (change.kind === 'cut') return bytes.subarray(0, Math.max(0, bytes.length - change.length)).toString('base64')
    return Buffer.concat([bytes, Buffer.alloc(change.length, 7)]).toString('base64')
  }

  it('with the bytes of any part changed', async () => {
    const text = sealWithHexSecrets(SEALED_EVENT, application.publicKey)
    const sealed = JSON.parse(text)
    expect(await isGood(text)).toBe(true)
    await holds(
      fc.asyncProperty(fc.constantFrom(...PARTS), change, async (part, change) => {
        const changed = { ...sealed, [part]: apply(change, sealed[part]) }
        await expectNothingOpened(JSON.stringify(changed))
      }),
      { atLeast: 20, atMost: 600, seed: SEED },
    )
  })

  /** The first of a day are told, the others get the answer of success; then what goes to the queue holds no event. */
  async function expectNothingOpened(body: string): Promise<void> {
    expect([200, 422]).toContain(await post(POSTS[0], body))
    expect(queued).toEqual([])
  }

  /** Unchanged it gets as far as the queue. */
  async function isGood(body: string): Promise<boolean> {
    const full = { sendBatch: () => Promise.reject(new Error('The queue is full')) } as unknown as Queue
    const headers = withKey({ 'content-type': 'application/json' })
    const init = { method: 'POST', body, headers }
    return (await requestWith({ ...UNLIMITED, EVENTS: full }, POSTS[0], init)).status === 503
  }

  it('with any part something else, or with another one', async () => {
    const sealed = JSON.parse(sealWithHexSecrets(SEALED_EVENT, application.publicKey))
    const other = JSON.parse(sealWithHexSecrets(SEALED_EVENT, application.publicKey))
    for (const part of PARTS) {
      await expectNothingOpened(JSON.stringify({ ...sealed, [part]: other[part] }))
    }
    await holds(
      fc.asyncProperty(fc.constantFrom(...PARTS), json, async (part, value) => {
        const { [part]: _, ...others } = sealed
        const text = `${JSON.stringify(others).slice(0, -1)},"${part}":${value}}`
        await expectNothingOpened(text)
      }),
      { atLeast: 20, atMost: 300, seed: SEED },
    )
  })

  it('a sealed event that holds no event is not stored', async () => {
    await holds(
      fc.asyncProperty(json, async (content) => {
        const sealed = sealWithHexSecrets(JSON.parse(content), application.publicKey)
        await expectNothingOpened(sealed)
      }),
      { atLeast: 20, atMost: 300, seed: SEED },
    )
  })
})
