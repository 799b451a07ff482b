import { beforeEach, describe, expect, it, vi } from 'vitest'
import {
  databaseAway,
  inFastTime,
  recordedDatabase,
  rejecting,
  requestWith,
  silentDatabase,
} from '../support/failures.ts'

const SECOND_MS = 1000
let now = Date.UTC(2026, 10, 20)

/** Begins each test long after the one before, so that nothing it saw counts any more. */
beforeEach(() => {
  now += 1_000 * SECOND_MS
  vi.useFakeTimers({ toFake: ['Date'], now })
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  return () => void vi.useRealTimers()
})

async function ask(bindings: Partial<Env> = {}, seconds = 0): Promise<[status: number, body: unknown]> {
  vi.setSystemTime(now + seconds * SECOND_MS)
  const response = await requestWith(bindings, '/health')
  expect(response.headers.get('retry-after')).toBe(response.status === 503 ? '5' : null)
  return [response.status, await response.json()]
}

const smallDatabase = { prepare: () => ({ all: async () => ({ meta: { size_after: 1 } }) }) } as unknown as D1Database

describe('/health', () => {
  it('is well where database and cache answer, and asks for no key', async () => {
    expect(await ask()).toEqual([200, { status: 'ok', database: 'ok', cache: 'ok' }])
  })

  it.each<[what: string, bindings: Partial<Env>, body: object]>([
    ['the database', { DB: databaseAway() }, { database: 'away', cache: 'ok' }],
    ['the cache', { CACHE: rejecting() }, { database: 'ok', cache: 'away' }],
    ['both', { DB: databaseAway(), CACHE: rejecting() }, { database: 'away', cache: 'away' }],
  ])('says that %s is away, and nothing of the inside', async (_, bindings, body) => {
    expect(await ask(bindings)).toEqual([503, { status: 'unavailable', ...body }])
  })

  it.each([
    [200, 'ok', { database: 'ok', queue: 'ok' }],
    [503, 'unavailable', { database: 'damaged', queue: 'ok' }],
    [503, 'unavailable', { database: 'ok', queue: 'away' }],
  ])("answers %d on a machine of one's own: %s with %j", async (code, status, parts) => {
    const LOCAL_HEALTH = { look: async () => parts }
    expect(await ask({ LOCAL_HEALTH } as never)).toEqual([code, { status, ...parts, cache: 'ok' }])
  })

  it('says which databases near their end or do not answer, and stays well for balancers', async () => {
    const { env } = await import('cloudflare:workers')
    const { meta } = await env.DB.prepare('select 1').all()
    const bytes = (percent: number) => ({ DATABASE_BYTES: Math.floor((100 * meta.size_after) / percent) as never })
    expect(await ask(bytes(79))).toEqual([200, { status: 'ok', database: 'ok', cache: 'ok' }])
    const others = { ACTIVITY_2: databaseAway(), ACTIVITY_3: smallDatabase }
    expect(await ask({ ...bytes(85), ...others }, 10)).toEqual([
      200,
      {
        status: 'degraded',
        database: 'ok',
        cache: 'ok',
        databases: [
          { database: 'DB', percent: 85 },
          { database: 'ACTIVITY_2', percent: null },
        ],
      },
    ])
  })

  it('looks once in five seconds, however often it is asked', async () => {
    const { DB, asked } = recordedDatabase()
    for (let seconds = 0; seconds < 5; seconds++) await ask({ DB }, seconds)
    expect(asked).toHaveLength(1)
    expect((await ask({ DB: databaseAway() }, 4.9))[0]).toBe(200)
    expect((await ask({ DB: databaseAway() }, 5))[0]).toBe(503)
    expect((await ask({}, 9.9))[0]).toBe(503)
    expect((await ask({}, 10))[0]).toBe(200)
  })

  it('stops waiting for a database that does not respond', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now })
    const { answer, seconds } = await inFastTime(ask({ DB: silentDatabase() }))
    expect(answer).toEqual([503, { status: 'unavailable', database: 'away', cache: 'ok' }])
    expect(seconds).toBe(3)
  })
})
