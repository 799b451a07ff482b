import { env } from 'cloudflare:workers'
import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { hashSecret } from '../../src/access/secrets.ts'
import { toNetwork } from '../../src/http/limits.ts'
import { createPlainApplication, createSealedApplication } from '../support/applications.ts'
import { createKey, registrationOf } from '../support/client.ts'
import { recordedDatabase, requestWith } from '../support/failures.ts'

const SECOND_MS = 1000
/** So many requests a period are let through by the isolate's own count. */
const UNASKED = 20

interface Kind {
  readonly name: string
  /** What the names of its limiters begin with. */
  readonly limiters: 'CONFIGURATION' | 'COLLECTION' | 'QUESTIONS' | 'REGISTRATION'
  readonly ask: (key: string) => [path: string, init: RequestInit & { headers: Record<string, string> }]
}

const EVENT = { event_type: 'Order', telegram_id: 5, datetime: '2026-11-19T10:00:00Z' }

function posting(path: string, bodyOf: (key: string) => object): Kind['ask'] {
  return (key) => {
    const headers = { 'x-api-key': key, 'content-type': 'application/json' }
    return [path, { method: 'POST', headers, body: JSON.stringify(bodyOf(key)) }]
  }
}

const KINDS: readonly Kind[] = [
  {
    name: 'the client configuration',
    limiters: 'CONFIGURATION',
    ask: (authorization) => ['/v1/client/config', { headers: { authorization } }],
  },
  { name: 'collection', limiters: 'COLLECTION', ask: posting('/v1/client/events', () => EVENT) },
  {
    name: 'questions',
    limiters: 'QUESTIONS',
    ask: (key) => ['/enterprise/available-handles', { headers: { 'x-api-key': key } }],
  },
  {
    name: 'registration and settings',
    limiters: 'REGISTRATION',
    ask: posting('/applications/register', (key) => registrationOf(`bot_${key.slice(0, 8)}`)),
  },
]

/** Every test has a period of its own, and an address. */
let now = Date.UTC(2026, 10, 20)
let address = ''

beforeEach(() => {
  now += 3_600 * SECOND_MS
  address = `2001:db8:${randomUUID().slice(0, 4)}:${randomUUID().slice(0, 4)}::7`
  vi.useFakeTimers({ toFake: ['Date'], now: now + 3 * SECOND_MS })
})
interface Asking {
  readonly bindings?: Partial<Env>
  readonly from?: string | null
}

function ask(kind: Kind, key: string, { bindings = {}, from = null }: Asking = {}): Promise<Response> {
  const [path, init] = kind.ask(key)
  const headers = from === null ? init.headers : { ...init.headers, 'cf-connecting-ip': from }
  return requestWith(bindings, path, { ...init, headers })
}

async function statuses(times: number, ask: () => Promise<Response>): Promise<number[]> {
  const found: number[] = []
  for (let count = 0; count < times; count++) found.push((await ask()).status)
  return found
}

/** A limiter that allows `most` requests and lists the callers it was asked about. */
function limiterOf(most: number): { limiter: RateLimit; asked: string[] } {
  const asked: string[] = []
  const limit = async ({ key }: { key: string }) => ({ success: asked.push(key) <= most })
  return { limiter: { limit } as RateLimit, asked }
}

const OK = (times: number) => Array(times).fill(200)

describe.each(KINDS)('the budget for $name', (kind) => {
  const [byKey, byAddress, bySite] = (['KEY', 'ADDRESS', 'SITE'] as const).map(
    (caller) => `${kind.limiters}_BY_${caller}`,
  ) as [string, string, string]

  it("a key's budget ends with 429, a sentence that names it, and the seconds until the next one", async () => {
    const logged = vi.spyOn(console, 'log').mockImplementation(() => undefined)
    const { key, applicationId } = await createPlainApplication()
    const { limiter } = limiterOf(2)
    const asking = { bindings: { [byKey]: limiter } }
    expect(await statuses(UNASKED + 3, () => ask(kind, key, asking))).toEqual(OK(UNASKED + 3))
    const refused = await ask(kind, key, asking)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '7'])
    expect(await refused.json()).toEqual({
      detail: `The budget of this API key for ${kind.name} is spent. Try again in 7 seconds.`,
    })
    expect(JSON.parse(String(logged.mock.lastCall))).toMatchObject({
      status: 429,
      application: applicationId,
    })
    vi.setSystemTime(now + 10 * SECOND_MS)
    expect((await ask(kind, key, asking)).status).toBe(200)
  })

  it("an address's budget ends whatever key it sends, and that of another address does not", async () => {
    const { key, accountId, applicationId } = await createPlainApplication()
    const other = await createKey(accountId, 'full', applicationId)
    const { limiter, asked } = limiterOf(0)
    const asking = { bindings: { [byAddress]: limiter }, from: address }
    expect(await statuses(UNASKED + 1, () => ask(kind, key, asking))).toEqual(OK(UNASKED + 1))
    const refused = await ask(kind, other, { ...asking, from: address.replace('::7', ':1:2:3:4') })
    expect(refused.status).toBe(429)
    expect(await refused.json()).toEqual({
      detail: `The budget of this address for ${kind.name} is spent. Try again in 7 seconds.`,
    })
    expect((await ask(kind, key, { ...asking, from: '203.0.113.9' })).status).toBe(200)
    expect((await ask(kind, key, { ...asking, from: null })).status).toBe(200)
    expect(asked).toEqual([toNetwork(address).host])
  })

  it('the budget of an IPv6 /48 ends for all of its networks, and that of another one does not', async () => {
    const { key } = await createPlainApplication()
    const { limiter, asked } = limiterOf(0)
    const from = (network: number) => address.replace('::7', `:${network}::7`).replace(/^(.*?:.*?:.*?):.*?:/, '$1:')
    const bindings = { [bySite]: limiter }
    let network = 0
    const found = await statuses(UNASKED + 2, () => ask(kind, key, { bindings, from: from(++network) }))
    expect(found).toEqual([...OK(UNASKED + 1), 429])
    const refused = await ask(kind, key, { bindings, from: from(99) })
    expect(await refused.json()).toEqual({
      detail: `The budget of this network for ${kind.name} is spent. Try again in 7 seconds.`,
    })
    expect((await ask(kind, key, { bindings, from: '2001:db9::7' })).status).toBe(200)
    expect(asked).toEqual([toNetwork(address).site])
  })

  it('does not touch the others', async () => {
    const { key } = await createPlainApplication()
    const { limiter } = limiterOf(0)
    const asking = { bindings: { [byKey]: limiter, [byAddress]: limiter }, from: address }
    await statuses(UNASKED + 1, () => ask(kind, key, asking))
    expect((await ask(kind, key, asking)).status).toBe(429)
    for (const other of KINDS.filter(({ name }) => name !== kind.name)) {
      expect((await ask(other, key, asking)).status).toBe(200)
    }
  })

  it('refuses nobody where the limiter fails, and says so once', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const { key } = await createPlainApplication()
    const limiter = { limit: () => Promise.reject(new Error('the limiter is away')) } as unknown as RateLimit
    const asking = { bindings: { [byKey]: limiter } }
    expect(await statuses(UNASKED + 5, () => ask(kind, key, asking))).toEqual(OK(UNASKED + 5))
    expect(logged).toHaveBeenCalledTimes(1)
    expect(String(logged.mock.calls[0])).toContain('the limiter is away')
  })

  it('is not counted where there is no limiter', async () => {
    const { key } = await createPlainApplication()
    const asking = { bindings: { [byKey]: undefined, [byAddress]: undefined } as never, from: address }
    expect(await statuses(UNASKED + 5, () => ask(kind, key, asking))).toEqual(OK(UNASKED + 5))
  })
})

it('the limiter for questions says yes to tests', async () => {
  const { key } = await createPlainApplication()
  expect(new Set(await statuses(250, () => ask(KINDS[2] as Kind, key)))).toEqual(new Set([200]))
})

it('the limiters of wrangler.toml are there and say no', async () => {
  const { key } = await createPlainApplication()
  const [configuration] = KINDS as [Kind]
  const found: number[] = []
  // A real period may end between any two of them.
  while (!found.includes(429) && found.length < 5_000) {
    const asked = Array.from({ length: 100 }, () => ask(configuration, key, { from: address }))
    found.push(...(await Promise.all(asked)).map(({ status }) => status))
  }
  expect(new Set(found)).toEqual(new Set([200, 429]))
  expect(found.filter((status) => status === 200).length).toBeGreaterThanOrEqual(200)
})

describe('keys that nobody knows', () => {
  const questions = KINDS[2] as Kind

  it.each([
    "' or 1=1 --",
    'x'.repeat(5_000),
    randomUUID().toUpperCase(),
    'aaaaaaaa-bbbb-1ccc-8ddd-eeeeeeeeeeee',
    'aaaaaaaa-bbbb-4ccc-cddd-eeeeeeeeeeee',
  ])('texts that cannot be keys are not looked up (%#)', async (key) => {
    const { DB, asked } = recordedDatabase()
    expect((await ask(questions, key, { bindings: { DB }, from: address })).status).toBe(401)
    expect(asked).toHaveLength(0)
  })

  it('are looked up once in ten seconds, in whatever company, and leave nothing in KV', async () => {
    const { DB, asked } = recordedDatabase()
    const key = randomUUID()
    const before = (await env.CACHE.list()).keys.length
    expect(await statuses(5, () => ask(questions, key, { bindings: { DB } }))).toEqual(Array(5).fill(401))
    for (let count = 0; count < 3; count++) {
      const headers = { 'x-api-key': key, 'x-project-id': randomUUID() }
      expect((await requestWith({ DB }, '/users/segmentation', { headers })).status).toBe(401)
    }
    expect(asked).toHaveLength(1)
    expect((await env.CACHE.list()).keys).toHaveLength(before)
    vi.setSystemTime(now + 13 * SECOND_MS)
    expect((await ask(questions, key, { bindings: { DB } })).status).toBe(401)
    expect(asked).toHaveLength(2)
  })

  it('work within ten seconds once they are issued, though they were tried before', async () => {
    const { accountId, applicationId } = await createPlainApplication()
    const key = await createKey(accountId, 'full', applicationId)
    const hash = env.DB.prepare('update api_keys set hash = ? where hash = ?')
    await hash.bind('elsewhere', hashSecret(key)).run()
    expect((await ask(questions, key)).status).toBe(401)
    await hash.bind(hashSecret(key), 'elsewhere').run()
    vi.setSystemTime(now + 13 * SECOND_MS)
    expect((await ask(questions, key)).status).toBe(200)
  })

  it('unknown keys of one address are no longer looked up after too many, while a known key continues to work', async () => {
    const { DB, asked } = recordedDatabase()
    const { key } = await createSealedApplication()
    const { limiter } = limiterOf(0)
    const bindings = { DB, UNKNOWN_KEYS_BY_ADDRESS: limiter }
    const asking = { bindings, from: address }
    expect((await ask(KINDS[0] as Kind, key, asking)).status).toBe(200)
    const found = await statuses(UNASKED + 10, () => ask(questions, randomUUID(), asking))
    expect(found).toEqual([...Array(UNASKED + 1).fill(401), ...Array(9).fill(429)])
    // The good key is looked up, and its last use is noted.
    expect(asked).toHaveLength(2 + UNASKED + 1)
    const refused = await ask(questions, randomUUID(), asking)
    expect(await refused.json()).toEqual({
      detail: 'The budget of this address for unknown API keys is spent. Try again in 7 seconds.',
    })
    expect((await ask(KINDS[0] as Kind, key, asking)).status).toBe(200)
    expect((await ask(questions, randomUUID(), { ...asking, from: '203.0.113.10' })).status).toBe(401)
  })

  it('do not stop a key from the same address that another isolate has put into KV', async () => {
    const { key } = await createPlainApplication()
    await ask(questions, key)
    const asking = { bindings: { UNKNOWN_KEYS_BY_ADDRESS: limiterOf(0).limiter }, from: address }
    expect(await statuses(UNASKED + 2, () => ask(questions, randomUUID(), asking))).toContain(429)
    const project = env.DB.prepare(
      'select project_id from applications where id = (select application_id from api_keys where hash = ?)',
    )
    const projectId = (await project.bind(hashSecret(key)).first<string>('project_id')) as string
    const known = { 'x-api-key': key, 'x-project-id': projectId, 'cf-connecting-ip': address }
    const look = () => requestWith(asking.bindings, '/users/segmentation', { headers: known })
    expect((await look()).status).toBe(429)
    const copy = await env.CACHE.get(`access:${hashSecret(key)}:`)
    await env.CACHE.put(`access:${hashSecret(key)}:${projectId}`, copy as string)
    expect((await look()).status).toBe(200)
  })

  it('include good keys with made-up projects: each is looked up once', async () => {
    const { DB, asked } = recordedDatabase()
    const { key } = await createPlainApplication()
    const [project, text] = [randomUUID(), 'x'.repeat(5_000)]
    const about = (projectId: string) =>
      requestWith({ DB }, '/v1/client/config', { headers: { authorization: key, 'x-project-id': projectId } })
    expect(await statuses(3, () => about(project))).toEqual([403, 403, 403])
    expect(asked).toHaveLength(1)
    expect(await statuses(3, () => about(text))).toEqual([403, 403, 403])
    expect(asked).toHaveLength(2)
  })
})

describe('whose an address is', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7', null],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64', '2001:db8:1::/48'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64', '2001:db8:1::/48'],
    ['2001:db8::1', '2001:db8:0:0::/64', '2001:db8:0::/48'],
    ['1::4:5:6:7:8', '1:0:0:4::/64', '1:0:0::/48'],
    ['::1', '0:0:0:0::/64', '0:0:0::/48'],
    ['::ffff:203.0.113.7', '::ffff:203.0.113.7', null],
    ['x'.repeat(1_000), 'x'.repeat(45), null],
  ])('%s', (address, host, site) => expect(toNetwork(address)).toEqual({ host, site }))
})
