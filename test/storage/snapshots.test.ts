import { env } from 'cloudflare:workers'
import { randomUUID } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import { SnapshotStore } from '../../src/storage/snapshots.ts'

const START = Date.UTC(2026, 10, 20)
const SECOND_MS = 1000

interface Price {
  readonly amount: number
}

interface Use {
  /** Seconds since the start of the test. */
  readonly at?: number
  readonly kv?: KVNamespace
  readonly key?: string
}

/** A store over a KV prefix of its own, and a database of one value that counts how often it is asked. */
class Shop {
  readonly prefix = `test:${randomUUID()}:`
  amount = 1
  exists = true
  loads = 0
  readonly #deferred: Promise<unknown>[] = []
  #store = this.#newStore()

  #newStore() {
    return new SnapshotStore<Price>({
      prefix: this.prefix,
      keep: ({ amount }) => amount > 0,
      groupOf: ({ amount }) => `costs ${amount}`,
      renewAfterSeconds: 30,
      expireAfterSeconds: 75,
      memoryEntries: 3,
    })
  }

  /** What another isolate has: the same KV, and nothing in memory. */
  forget(): void {
    this.#store = this.#newStore()
  }

  async ask({ at = 0, kv = env.CACHE, key = 'lemon' }: Use = {}): Promise<number | null> {
    const defer = (work: Promise<unknown>) => void this.#deferred.push(work)
    const snapshots = this.#store.within({ kv, defer, now: START + at * SECOND_MS })
    return (await snapshots.get(key, this.load))?.amount ?? null
  }

  discard(at: number): Promise<void> {
    return this.#store.discard({
      group: 'costs 1',
      keys: ['lemon'],
      kv: env.CACHE,
      now: START + at * SECOND_MS,
    })
  }

  load = async (): Promise<Price | null> => {
    this.loads++
    return this.exists ? { amount: this.amount } : null
  }

  async settle(): Promise<void> {
    await Promise.all(this.#deferred.splice(0))
  }
}

describe('a copy', () => {
  it('answers for the database while it is fresh', async () => {
    const shop = new Shop()
    expect([await shop.ask(), await shop.ask({ at: 1 }), await shop.ask({ at: 30 })]).toEqual([1, 1, 1])
    await shop.settle()
    expect(shop.loads).toBe(1)
  })

  it('older than 30 s is used once more, and renewed behind the answer', async () => {
    const shop = new Shop()
    await shop.ask()
    shop.amount = 2
    expect(await shop.ask({ at: 30.001 })).toBe(1)
    await shop.settle()
    expect(await shop.ask({ at: 31 })).toBe(2)
    expect(shop.loads).toBe(2)
  })

  it.each([
    ['memory', false],
    ['KV', true],
  ])('a copy in %s is used until it is 75 s old', async (_, forgets) => {
    for (const [at, amount] of [
      [74.999, 1],
      [75, 2],
    ] as const) {
      const shop = new Shop()
      await shop.ask()
      await shop.settle()
      if (forgets) shop.forget()
      shop.amount = 2
      expect(await shop.ask({ at })).toBe(amount)
    }
  })

  it('keeps its age on its way through KV: nothing is older than 75 s in a second isolate either', async () => {
    const shop = new Shop()
    await shop.ask()
    await shop.settle()
    shop.forget()
    shop.amount = 2
    shop.load = () => Promise.reject(new Error('the database is away'))
    expect(await shop.ask({ at: 60 })).toBe(1)
    expect(await shop.ask({ at: 74 })).toBe(1)
    await expect(shop.ask({ at: 75 })).rejects.toThrow('the database is away')
  })

  it('answers for no other key, and for no other kind', async () => {
    const [lemons, limes] = [new Shop(), new Shop()]
    await lemons.ask()
    lemons.amount = limes.amount = 2
    expect([await lemons.ask({ key: 'lime' }), await lemons.ask({ key: 'lemon' })]).toEqual([2, 1])
    await lemons.settle()
    expect(await limes.ask()).toBe(2)
  })
})

describe('a discarded copy', () => {
  it.each([
    ['in memory', false],
    ['in KV, by an isolate that begins,', true],
  ])('%s is not used', async (_, forgets) => {
    const shop = new Shop()
    await shop.ask()
    await shop.settle()
    await shop.discard(10)
    if (forgets) shop.forget()
    shop.amount = 2
    expect(await shop.ask({ at: 11 })).toBe(2)
  })

  it('does not come back from a look-up or a write to KV that began before', async () => {
    const shop = new Shop()
    const { promise, resolve } = Promise.withResolvers<Price>()
    const load = shop.load
    shop.load = () => promise
    const asking = shop.ask({ at: 9 })
    await shop.discard(10)
    resolve({ amount: 1 })
    expect(await asking).toBe(1)
    await shop.settle()
    shop.load = load
    shop.amount = 2
    expect(await shop.ask({ at: 11 })).toBe(2)
  })
})

describe('a renewal', () => {
  it('runs once at a time for a key', async () => {
    const shop = new Shop()
    await shop.ask()
    const { promise, resolve } = Promise.withResolvers<Price>()
    shop.load = vi.fn(() => promise)
    const answers = await Promise.all([31, 32, 33].map((at) => shop.ask({ at })))
    expect(answers).toEqual([1, 1, 1])
    resolve({ amount: 2 })
    await shop.settle()
    expect(shop.load).toHaveBeenCalledTimes(1)
    expect(await shop.ask({ at: 34 })).toBe(2)
  })

  it('takes over what another isolate has renewed in KV', async () => {
    const shop = new Shop()
    await shop.ask()
    await shop.settle()
    const renewed = { value: { amount: 2 }, loadedAt: START + 31 * SECOND_MS }
    await env.CACHE.put(`${shop.prefix}lemon`, JSON.stringify(renewed))
    expect(await shop.ask({ at: 40 })).toBe(1)
    await shop.settle()
    expect(await shop.ask({ at: 41 })).toBe(2)
    expect(shop.loads).toBe(1)
  })

  it('a renewal that was cut off with its request does not block later ones', async () => {
    const shop = new Shop()
    await shop.ask()
    const load = shop.load
    shop.load = () => new Promise(() => undefined)
    await shop.ask({ at: 31 })
    shop.load = load
    shop.amount = 2
    await shop.ask({ at: 62 })
    await vi.waitFor(async () => expect(await shop.ask({ at: 63 })).toBe(2), 60_000)
  })

  it('a failed renewal is tried again, and the copy is used until it is too old', async () => {
    const shop = new Shop()
    await shop.ask()
    shop.load = vi.fn(() => Promise.reject(new Error('the database is away')))
    expect(await shop.ask({ at: 40 })).toBe(1)
    await shop.settle()
    expect(await shop.ask({ at: 50 })).toBe(1)
    await shop.settle()
    expect(shop.load).toHaveBeenCalledTimes(2)
    await expect(shop.ask({ at: 75 })).rejects.toThrow('the database is away')
  })

  it('a renewal that finds nothing any more ends the copy within 75 s of its making', async () => {
    const shop = new Shop()
    await shop.ask()
    await shop.settle()
    shop.exists = false
    await shop.ask({ at: 40 })
    await shop.settle()
    expect(await shop.ask({ at: 75 })).toBeNull()
  })
})

describe('what is never kept', () => {
  it('is what does not exist', async () => {
    const shop = new Shop()
    shop.exists = false
    expect([await shop.ask(), await shop.ask()]).toEqual([null, null])
    expect(shop.loads).toBe(2)
    shop.exists = true
    expect(await shop.ask()).toBe(1)
    await shop.settle()
    expect(await env.CACHE.get(`${shop.prefix}lemon`, 'json')).toEqual({ value: { amount: 1 }, loadedAt: START })
  })

  it('is what `keep` refuses', async () => {
    const shop = new Shop()
    shop.amount = -1
    expect([await shop.ask(), await shop.ask()]).toEqual([-1, -1])
    await shop.settle()
    expect(shop.loads).toBe(2)
    expect(await env.CACHE.get(`${shop.prefix}lemon`)).toBeNull()
  })

  it('is a failure of the database', async () => {
    const shop = new Shop()
    const { load } = shop
    shop.load = () => Promise.reject(new Error('the database is away'))
    await expect(shop.ask()).rejects.toThrow('the database is away')
    shop.load = load
    expect(await shop.ask()).toBe(1)
  })
})

/** KV as it is, except that these calls fail. */
function brokenKv(...methods: ('get' | 'put')[]): KVNamespace {
  const fail = () => Promise.reject(new Error('KV is away'))
  return new Proxy(env.CACHE, {
    get: (kv, name) => (methods.some((method) => method === name) ? fail : Reflect.get(kv, name).bind(kv)),
  })
}

describe('a KV that', () => {
  it.each([['get'], ['put'], ['get', 'put']] as const)('fails at %s %s only costs time', async (...methods) => {
    const shop = new Shop()
    const kv = brokenKv(...methods)
    expect(await shop.ask({ kv })).toBe(1)
    await shop.settle()
    shop.amount = 2
    expect(await shop.ask({ kv, at: 10 })).toBe(1)
    expect(await shop.ask({ kv, at: 80 })).toBe(2)
    await shop.settle()
  })

  it('refuses a key that is too long, or contains something else, only costs time', async () => {
    const shop = new Shop()
    expect(await shop.ask({ key: 'x'.repeat(1000) })).toBe(1)
    await env.CACHE.put(`${shop.prefix}lemon`, 'no JSON')
    expect(await shop.ask()).toBe(1)
    await shop.settle()
  })
})

it('memory holds as many keys as it may, those that were loaded last', async () => {
  const shop = new Shop()
  const kv = brokenKv('get', 'put')
  for (const key of ['a', 'b', 'c', 'b', 'd']) await shop.ask({ kv, key })
  await shop.settle()
  shop.loads = 0
  for (const key of ['b', 'c', 'd']) await shop.ask({ kv, key })
  expect(shop.loads).toBe(0)
  await shop.ask({ kv, key: 'a' })
  expect(shop.loads).toBe(1)
})
