import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createBotClient } from '../../src/client/bot/client.ts'
import type { BotClientOptions } from '../../src/client/bot/options.ts'
import { createCollectingService } from '../support/collecting-service.ts'
import { UPDATES } from '../support/updates.ts'

const LEA = UPDATES.message.message.from
const MESSAGES = { auto_capture_telegram_events: ['message'] }
const SECOND_MS = 1_000
const MINUTE_MS = 60_000

let service: ReturnType<typeof createCollectingService>
let warn: ReturnType<typeof vi.spyOn>

beforeEach(() => {
  vi.useFakeTimers()
  service = createCollectingService(MESSAGES)
  warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
})

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

function createBot(options: Partial<BotClientOptions> = {}) {
  return createBotClient({ host: 'https://mauve.example', key: 'k', project: 'p', fetch: service.fetch, ...options })
}

function trackMany(bot: ReturnType<typeof createBot>, count: number, from = 0) {
  for (let place = from; place < from + count; place += 1) bot.track(LEA, `Event ${place}`)
}

async function sendMany(count: number, options?: Partial<BotClientOptions>) {
  const bot = createBot(options)
  trackMany(bot, count)
  await bot.flush()
  return bot
}

function sizes() {
  return service.bodies.map((body) => (JSON.parse(body) as unknown[]).length)
}

function namesOf(count: number, from = 0) {
  return Array.from({ length: count }, (_, place) => `Event ${place + from}`)
}

function namesTaken() {
  return service.taken.map(({ event_type }) => event_type)
}

function status(code: number, headers: Record<string, string> = {}) {
  return () => Response.json({ detail: 'So it is.' }, { status: code, headers })
}

const advance = (ms: number) => vi.advanceTimersByTimeAsync(ms)

describe('batches', () => {
  it('a thousand events are twenty requests', async () => {
    const bot = createBot()
    trackMany(bot, 1_000)
    await advance(0)
    expect(sizes()).toEqual(Array.from({ length: 20 }, () => 50))
    expect(namesTaken()).toEqual(namesOf(1_000))
  })

  it('a few wait a second for others', async () => {
    const bot = createBot()
    trackMany(bot, 2)
    await advance(999)
    expect(service.bodies).toEqual([])
    trackMany(bot, 1, 2)
    await advance(1)
    expect(sizes()).toEqual([3])
    await advance(MINUTE_MS)
    expect(sizes()).toEqual([3])
  })

  it('are larger with the option for it', async () => {
    trackMany(createBot({ batch: 500 }), 1_001)
    await advance(0)
    expect(sizes()).toEqual([500, 500, 1])
  })

  it.each([
    [Number.NaN, [50, 10]],
    [0, [50, 10]],
    [-1, Array.from({ length: 60 }, () => 1)],
    [40.5, [40, 20]],
  ])('are of some size where %d is asked for', async (batch, sent) => {
    trackMany(createBot({ batch }), 60)
    await advance(SECOND_MS)
    expect(sizes()).toEqual(sent)
  })

  it('become smaller where they are too many for the key', async () => {
    const detail = [{ loc: ['body'], msg: 'List should have at most 50 items' }]
    service.collect = (events) =>
      events.length > 50 ? Response.json({ detail }, { status: 422 }) : Response.json({ status_code: 200 })
    const bot = createBot({ batch: 200 })
    trackMany(bot, 200)
    await advance(0)
    expect(sizes()).toEqual([200, 100, 50, 50, 50, 50])
    expect(bot.dropped).toBe(0)
  })

  it('shrink around an event that is too large, which is lost, and grow again afterwards', async () => {
    service.collect = (events) =>
      events.some(({ event_type }) => event_type === 'Event 2')
        ? Response.json({ detail: 'The body is larger than 1 MiB.' }, { status: 413 })
        : Response.json({ status_code: 200 })
    const bot = createBot({ batch: 8 })
    trackMany(bot, 20)
    await advance(0)
    expect(sizes()).toEqual([8, 4, 2, 8, 4, 2, 1, 8, 8, 1])
    expect(namesTaken()).toEqual(namesOf(20).filter((name) => name !== 'Event 2'))
    expect(bot.dropped).toBe(1)
  })
})

describe('the request', () => {
  it('is the plain form of the service, with the key', async () => {
    const requests: [string, RequestInit][] = []
    const bot = createBot({
      host: 'https://mauve.example/',
      fetch: async (url, init) => {
        requests.push([String(url), init as RequestInit])
        return service.fetch(url, init)
      },
    })
    bot.track(LEA, 'Purchase', { amount: 250 })
    await bot.flush()
    const [configuration, events] = requests
    expect(configuration).toMatchObject([
      'https://mauve.example/v1/client/config?client=mauve&project=p',
      { headers: { authorization: 'Bearer k' } },
    ])
    expect(events).toMatchObject([
      'https://mauve.example/v1/client/events',
      { method: 'POST', headers: { 'x-api-key': 'k', 'x-project-id': 'p', 'content-type': 'application/json' } },
    ])
    expect(service.taken).toEqual([
      {
        telegram_id: LEA.id,
        language: 'de',
        is_premium: true,
        username: 'lea_lemon',
        firstname: 'Лея',
        lastname: 'Lemon 🍋',
        event_type: 'Purchase',
        datetime: Date.now(),
        event_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        params: { amount: 250 },
        event_source: 'mauve-bot',
      },
    ])
  })

  it('has `is_premium` only if the messenger says it', async () => {
    const bot = createBot()
    bot.track({ id: 5 }, 'A')
    bot.track({ id: 5, is_premium: true }, 'B')
    bot.track({ id: 5, is_bot: false }, 'C')
    await bot.flush()
    expect(service.taken.map(({ is_premium }) => is_premium)).toEqual([undefined, true, false])
  })

  it('holds an update that comes twice under one id', async () => {
    const bot = createBot()
    bot.trackUpdate(UPDATES.message)
    await bot.flush()
    bot.trackUpdate({ ...UPDATES.message })
    await bot.flush()
    const [once, twice] = service.taken
    expect(twice).toEqual(once)
  })
})

describe('the settings', () => {
  it('are asked for when there is something to track, and updates wait for them', async () => {
    const bot = createBot()
    await advance(MINUTE_MS)
    expect(service.configurations).toBe(0)
    expect(bot.trackUpdate(UPDATES.message)).toBe('undecided')
    expect(bot.trackUpdate(UPDATES.callback_query)).toBe('undecided')
    await advance(SECOND_MS)
    expect(namesTaken()).toEqual(['telegram_message'])
    expect(bot.trackUpdate(UPDATES.callback_query)).toBe('not_asked')
  })

  it.each<[string, () => Response | null]>([
    ['nothing answers', () => null],
    ['the service is not well', status(503)],
    ['something else answers', () => new Response('<html>')],
    ['it is no configuration', () => Response.json({ status: 'ok' })],
  ])('are asked for again where %s; own events do not wait', async (_, answer) => {
    service.configure = answer
    const bot = createBot()
    bot.trackUpdate(UPDATES.message)
    bot.track(LEA, 'Purchase')
    await advance(10 * MINUTE_MS)
    expect(namesTaken()).toEqual(['Purchase'])
    expect(service.configurations).toBeGreaterThan(4)
    expect(warn).toHaveBeenCalledTimes(1)
    service.configure = () => Response.json(service.settings)
    await advance(10 * MINUTE_MS)
    expect(namesTaken()).toEqual(['Purchase', 'telegram_message'])
  })

  it('changed settings apply after three minutes, and known ones stay while the service is away', async () => {
    const bot = createBot()
    bot.trackUpdate(UPDATES.message)
    await bot.flush()
    service.settings = { ...service.settings, auto_capture_telegram_events: ['callback_query'] }
    await advance(2 * MINUTE_MS)
    expect(bot.trackUpdate(UPDATES.callback_query)).toBe('not_asked')
    await advance(MINUTE_MS)
    expect(bot.trackUpdate(UPDATES.callback_query)).toBe('undecided')
    await advance(SECOND_MS)
    expect(namesTaken()).toEqual(['telegram_message', 'telegram_callback_query'])
    expect(bot.trackUpdate(UPDATES.callback_query)).toBe('captured')
    expect(bot.trackUpdate(UPDATES.message)).toBe('not_asked')

    service.configure = () => null
    await advance(10 * MINUTE_MS)
    expect(bot.trackUpdate(UPDATES.callback_query)).toBe('undecided')
    await bot.flush()
    expect(bot.trackUpdate(UPDATES.callback_query)).toBe('captured')
    await bot.flush()
    expect(service.taken).toHaveLength(5)
  })
})

describe('where the service does not take events', () => {
  it.each<[string, () => Response | null]>([
    ['nothing answers', () => null],
    ['it is not well', status(500)],
    ['it is busy', status(503)],
    ['there are too many', status(429)],
  ])('they wait, with growing pauses, and arrive once: %s', async (_, answer) => {
    service.collect = answer
    const bot = await sendMany(60)
    expect(sizes()).toEqual([50])
    await advance(MINUTE_MS)
    expect(service.bodies.length).toBeGreaterThan(4)
    expect(service.bodies.length).toBeLessThan(8)
    service.bodies.length = 0
    await advance(60 * MINUTE_MS)
    expect(service.bodies.length).toBeGreaterThan(8)
    expect(service.bodies.length).toBeLessThan(20)
    service.collect = status(200)
    await advance(10 * MINUTE_MS)
    expect(namesTaken()).toEqual(namesOf(60))
    expect(bot.dropped).toBe(0)
    expect(warn).toHaveBeenCalledTimes(1)
  })

  it('it says when to come again, and flushing does not change that', async () => {
    service.collect = status(429, { 'retry-after': '40' })
    const bot = await sendMany(1)
    await advance(20 * SECOND_MS)
    trackMany(bot, 60, 1)
    await bot.flush()
    await advance(19 * SECOND_MS)
    expect(service.bodies).toHaveLength(1)
    service.collect = status(200)
    await advance(SECOND_MS)
    expect(service.taken).toHaveLength(61)
  })

  it('an hour is the longest that it may ask for', async () => {
    service.collect = status(429, { 'retry-after': '80000' })
    trackMany(createBot(), 1)
    await advance(SECOND_MS)
    service.collect = status(200)
    await advance(60 * MINUTE_MS)
    expect(service.taken).toHaveLength(1)
  })

  it('ten thousand wait, and the oldest are lost', async () => {
    service.configure = () => null
    service.collect = () => null
    const bot = createBot()
    for (let place = 0; place < 5; place += 1) bot.trackUpdate(UPDATES.message)
    trackMany(bot, 10_003)
    expect(bot.dropped).toBe(8)
    service.collect = status(200)
    await advance(10 * MINUTE_MS)
    expect(namesTaken()).toEqual(namesOf(10_000, 3))
    expect(warn.mock.calls.flat().join()).toMatch(/more than 10000 events/)
  })

  it('updates for which the settings are not known count among them', () => {
    const bot = createBot()
    for (let place = 0; place < 10_002; place += 1) bot.trackUpdate(UPDATES.message)
    expect(bot.dropped).toBe(2)
  })

  it('it refuses some by name: the others arrive', async () => {
    service.collect = (events) => {
      const bad = events.flatMap(({ event_type }, place) => (/[37]$/.test(event_type) ? place : []))
      if (bad.length === 0) return Response.json({ status_code: 200 })
      // Only the first is told, so it takes several requests.
      const detail = [{ loc: ['body', bad[0], 'params'], msg: 'Input should be better', type: 'value_error' }]
      return Response.json({ detail }, { status: 422 })
    }
    const bot = await sendMany(10)
    expect(namesTaken()).toEqual([0, 1, 2, 4, 5, 6, 8, 9].map((place) => `Event ${place}`))
    expect(bot.dropped).toBe(2)
    expect(warn.mock.calls).toEqual([[expect.stringContaining('422 body.3.params: Input should be better')]])
  })

  it.each([401, 403, 404, 422])('it refuses all of them: %i', async (code) => {
    service.collect = status(code)
    const bot = await sendMany(1)
    trackMany(bot, 1)
    await bot.flush()
    await advance(10 * MINUTE_MS)
    expect(service.bodies).toHaveLength(2)
    expect(bot.dropped).toBe(2)
    expect(warn.mock.calls).toEqual([[expect.stringContaining(`${code} So it is.`)]])
  })

  it.each([[null], [{ detail: [null, 5] }], [{ detail: [{ loc: ['body', 99], msg: 'No' }] }]])(
    'in words that nobody understands: %j',
    async (body) => {
      service.collect = () => Response.json(body, { status: 422 })
      const bot = await sendMany(3)
      expect(bot.dropped).toBe(3)
    },
  )
})

describe('the end of a process', () => {
  it('tries once more, whatever time the service asked to wait, and leaves no timer', async () => {
    service.collect = status(429, { 'retry-after': '1000' })
    const bot = await sendMany(1)
    await bot.close()
    expect(service.bodies).toHaveLength(2)
    trackMany(bot, 100)
    expect(vi.getTimerCount()).toBe(0)
    service.collect = status(200)
    await bot.close()
    expect(service.taken).toHaveLength(101)
  })

  it('is not held up by a timer', () => {
    vi.useRealTimers()
    const timers = vi.spyOn(globalThis, 'setTimeout')
    trackMany(createBot(), 1)
    expect(timers.mock.results.map(({ value }) => value.hasRef())).toEqual([false])
    clearTimeout(timers.mock.results[0]?.value)
  })
})

it('a request that ended with the one that began it loses nothing', async () => {
  const answers: (() => Response | null | Promise<never>)[] = [() => new Promise<never>(() => {})]
  const bot = createBot({
    fetch: async (url, init) =>
      (await (String(url).includes('events') && answers.shift()?.())) || service.fetch(url, init),
  })
  trackMany(bot, 1)
  void bot.flush()
  await advance(SECOND_MS)
  trackMany(bot, 1, 1)
  const flushed = bot.flush()
  await advance(15 * SECOND_MS)
  await flushed
  expect(namesTaken()).toEqual(['Event 0', 'Event 1'])
})

it('a timer that ended with its request is restarted', async () => {
  const bot = createBot()
  trackMany(bot, 1)
  vi.clearAllTimers()
  await advance(3 * SECOND_MS)
  trackMany(bot, 1, 1)
  await advance(SECOND_MS)
  expect(namesTaken()).toEqual(['Event 0', 'Event 1'])
})

it('flushing waits for requests under way', async () => {
  const bot = createBot({
    fetch: async (url, init) => {
      await new Promise((resolve) => setTimeout(resolve, 500))
      return service.fetch(url, init)
    },
  })
  trackMany(bot, 1)
  void bot.flush()
  trackMany(bot, 1, 1)
  const taken = bot.flush().then(() => namesTaken())
  await advance(2 * SECOND_MS)
  expect(await taken).toEqual(['Event 0', 'Event 1'])
})

describe('what cannot be sent breaks nothing', () => {
  const circle: Record<string, unknown> = {}
  circle.itself = circle
  const throws = (thrown: unknown) => {
    throw thrown
  }

  it.each([
    ['a circle', circle],
    ['a BigInt', { amount: 5n }],
    ['what throws', { toJSON: () => throws(new Error('No')) }],
    ['what throws what is no text', { toJSON: () => throws(Object.create(null)) }],
  ])('parameters that cannot be JSON: %s', async (_, params) => {
    const bot = createBot()
    bot.track(LEA, 'Purchase', params)
    bot.track(LEA, 'Purchase', params)
    await bot.flush()
    expect(service.taken).toMatchObject([{ event_type: 'Purchase' }, { event_type: 'Purchase' }])
    expect(service.taken[0]).not.toHaveProperty('params')
    expect(warn).toHaveBeenCalledTimes(1)
  })

  it.each([[undefined], [null], [{}], [{ id: -5 }], [{ id: '5' }], [{ id: 2 ** 53 }]])(
    'an event of nobody: %j',
    async (user) => {
      const bot = createBot()
      bot.track(user as never, 'Purchase')
      bot.track({ id: 5, is_bot: true }, 'Purchase')
      await bot.flush()
      expect(service.bodies).toEqual([])
      expect(warn).toHaveBeenCalledTimes(1)
    },
  )

  const throwing = () => new Proxy({}, { get: () => throws(Object.create(null)) })

  it.each<[string, (bot: ReturnType<typeof createBot>) => unknown]>([
    ['a user whose id throws', (bot) => bot.track(throwing() as never, 'Purchase')],
    ['a user whose name cannot be JSON', (bot) => bot.track({ id: 5, username: 5n as never }, 'Purchase')],
    ['nobody, with a name that is no text', (bot) => bot.track(undefined, Symbol('Purchase') as never)],
    ['an update that throws', (bot) => bot.trackUpdate(throwing() as never)],
  ])('%s', async (_, trackIt) => {
    const bot = createBot()
    expect(() => trackIt(bot)).not.toThrow()
    bot.track(LEA, 'Purchase')
    await bot.flush()
    expect(namesTaken()).toEqual(['Purchase'])
    expect(warn).toHaveBeenCalledTimes(1)
  })

  it.each([['line\nbreak'], ['ключ']])('an invalid key, which the message does not repeat: %j', async (key) => {
    await sendMany(1, { key, fetch: undefined })
    const said = warn.mock.calls.flat().join('\n')
    expect(said).toContain('cannot be reached (TypeError: the key holds characters that no key has)')
    expect(said).not.toContain(key)
  })

  it.each([['no address'], [undefined]])('an invalid address: %s', async (host) => {
    const bot = createBotClient({ host: host as never, key: 'k', project: 'p' })
    trackMany(bot, 1)
    bot.trackUpdate(UPDATES.message)
    await bot.flush()
    expect(warn.mock.calls).toEqual([
      [expect.stringMatching(`does not tell its configuration .*${host}/v1/client/config`)],
      [expect.stringMatching(`cannot be reached .*${host}/v1/client/events`)],
    ])
  })
})
