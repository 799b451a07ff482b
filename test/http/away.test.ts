import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { operations } from '../../src/app.ts'
import { DATABASE_AWAY } from '../../src/storage/database.ts'
import { createSealedApplication, type PlainApplication, type SealedApplication } from '../support/applications.ts'
import { createAccount } from '../support/client.ts'
import { deliver, messagesOf } from '../support/delivery.ts'
import { databaseAway, inFastTime, rejecting, requestWith, silent, silentDatabase } from '../support/failures.ts'
import { EVENT, OPERATIONS, type OperationCall, toRequest } from '../support/operations.ts'
import { sealInBrowser } from '../support/tracking-clients.ts'

/** Operations that ask the database only once an object has answered. */
const ASKING_OBJECTS_FIRST = ['exportEvents', 'exportUsers', 'findUsers']

let logged: string[] = []
let application: SealedApplication & PlainApplication

beforeEach(async () => {
  logged = []
  vi.spyOn(console, 'error').mockImplementation((line) => void logged.push(line))
  application = await createSealedApplication()
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

function ask(operation: OperationCall, bindings: Partial<Env> = {}): Promise<Response> {
  const { path, init } = toRequest(operation, application.key, application.handle)
  return requestWith(bindings, path, init)
}

/** Makes everything in memory too old to be used. */
function forget(): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 100_000 })
}

/** Objects that admit every export at once, and know nothing. A real one would be asked in real time, while the clock flies. */
function admitting(): Env['APPLICATIONS'] {
  const ask = async () => ({ kind: 'answer', part: [], asOf: 0, since: null })
  const stub = { takeExportSlot: async () => null, giveBackExportSlot: async () => undefined, ask }
  return { getByName: () => stub } as unknown as Env['APPLICATIONS']
}

async function expectUnavailable(response: Response, sentence: string): Promise<void> {
  const id = response.headers.get('x-request-id')
  expect(response.headers.get('retry-after')).toBe('5')
  expect([response.status, await response.json()]).toEqual([503, { detail: `${sentence} Request id: ${id}` }])
  const lines = logged.map((line) => JSON.parse(line)).filter(({ event }) => event === 'unavailable')
  expect(lines.map(({ request_id }) => request_id)).toContain(id)
}

const OBJECT_AWAY = "The application's object does not answer right now. Send the request again."
const EXPORTS_AWAY = 'Exports cannot be started right now. Send the request again.'
const QUEUE_AWAY = 'The events could not be kept right now. Send them again.'

it('there is a request for every operation', () => {
  const ids = operations.map(({ contract }) => contract.operationId)
  expect(OPERATIONS.map(({ name }) => name).toSorted()).toEqual(ids.toSorted())
})

describe.each(OPERATIONS)('$name', (operation) => {
  const { needs = 'database' } = operation

  beforeEach(() => deliver(messagesOf(application.applicationId, [EVENT])))

  it('gives the same answer without KV, warm and cold', async () => {
    const answerOf = async (response: Response) => [response.status, operation.answersAnew || (await response.text())]
    const compare = async () => {
      vi.useRealTimers()
      const expected = await answerOf(await ask(operation))
      expect(expected[0]).toBe(operation.status ?? 200)
      expect(await answerOf(await ask(operation, { CACHE: rejecting() }))).toEqual(expected)
      forget()
      expect(await answerOf(await ask(operation, { CACHE: rejecting() }))).toEqual(expected)
    }
    // Objects of other applications may count their events meanwhile, which the overview of all of them shows.
    await vi.waitFor(compare, { timeout: 60_000 })
  })

  it('says 503 where the database is away and the key is not known yet', async () => {
    forget()
    const response = await ask(operation, { DB: databaseAway(), CACHE: rejecting() })
    await expectUnavailable(response, DATABASE_AWAY)
  })

  it(`needs ${needs} once the key is known`, async () => {
    await ask(operation)
    // The overview keeps its answers for a while, but not these.
    if (operation.name === 'getGrowthTrend') forget()
    const without = await ask(operation, { DB: databaseAway() })
    if (needs.startsWith('database')) await expectUnavailable(without, DATABASE_AWAY)
    else expect(without.status).toBe(operation.status ?? 200)
    vi.useRealTimers()
    const APPLICATIONS = { getByName: rejecting } as unknown as Env['APPLICATIONS']
    const objectless = await ask(operation, { APPLICATIONS })
    if (needs.endsWith('object')) await expectUnavailable(objectless, OBJECT_AWAY)
    else if (needs.endsWith('exports')) await expectUnavailable(objectless, EXPORTS_AWAY)
    else expect(objectless.status).toBe(operation.status ?? 200)
    const queueless = await ask(operation, { EVENTS: rejecting() })
    if (needs === 'queue') await expectUnavailable(queueless, QUEUE_AWAY)
    else expect(queueless.status).toBe(operation.status ?? 200)
  })

  it('says 500, with the id of the request and no word of the inside, where the database was asked wrongly', async () => {
    forget()
    const bindings = {
      DB: databaseAway('D1_ERROR: no such table: api_keys: SQLITE_ERROR'),
      CACHE: rejecting() as KVNamespace,
    }
    const response = await ask(operation, bindings)
    const id = response.headers.get('x-request-id')
    const detail = `Something went wrong on our side. Request id: ${id}`
    expect([response.status, await response.json()]).toEqual([500, { detail }])
    expect(logged.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ event: 'request failed', request_id: id, error: expect.stringContaining('api_keys') }),
    ])
  })
})

describe('an event that was answered with 200 while the database was away', () => {
  it.each([
    ['a plain one', () => JSON.stringify(EVENT)],
    [
      'a sealed one',
      () => {
        const timestamp = String(Math.floor(Date.now() / 1000))
        return sealInBrowser({ eventType: 'Order', telegramID: '5', timestamp }, application.publicKey)
      },
    ],
  ])('is kept: %s', async (_, body) => {
    const headers = { 'x-api-key': application.key, 'content-type': 'application/json' }
    await ask(OPERATIONS.find(({ name }) => name === 'getClientConfig') as OperationCall)
    const bindings = { DB: databaseAway(), CACHE: rejecting() as KVNamespace }
    const response = await requestWith(bindings, '/v1/client/events', { method: 'POST', headers, body: body() })
    expect([response.status, await response.json()]).toEqual([
      200,
      { status_code: 200, message: 'Success', accepted: 1 },
    ])
    const count = env.DB.prepare('select count(*) as n from events where application_id = ?')
    await expect.poll(() => count.bind(application.applicationId).first('n'), { timeout: 60_000 }).toBe(1)
  })
})

describe('a part that is silent holds nobody up for long', () => {
  function forgetInFastTime(): void {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: Date.now() + 100_000 })
  }

  it('KV: for a second, and behind the answer for ten', async () => {
    forgetInFastTime()
    const { answer, seconds } = await inFastTime(ask(OPERATIONS[0] as OperationCall, { CACHE: silent() }))
    expect(answer.status).toBe(200)
    expect(seconds).toBeLessThanOrEqual(11)
  })

  it.each(OPERATIONS)('the database, where the key is not known yet: $name', async (operation) => {
    forgetInFastTime()
    const bindings = { DB: silentDatabase(), CACHE: rejecting() as KVNamespace }
    const { answer, seconds } = await inFastTime(ask(operation, bindings))
    await expectUnavailable(answer, DATABASE_AWAY)
    expect(seconds).toBeLessThanOrEqual(5)
  })

  // The overview is remembered for longer than the key.
  const asking = OPERATIONS.filter(
    ({ name, needs = 'database' }) => needs.startsWith('database') && name !== 'getGrowthTrend',
  )
  it.each(asking)('the database, where the key is known: $name', async (operation) => {
    await ask(operation)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const bindings = {
      DB: silentDatabase(),
      ...(ASKING_OBJECTS_FIRST.includes(operation.name) && { APPLICATIONS: admitting() }),
    }
    const { answer, seconds } = await inFastTime(ask(operation, bindings))
    await expectUnavailable(answer, DATABASE_AWAY)
    expect(seconds).toBeLessThanOrEqual(20)
    // An object that is at work meanwhile has timers of its own; what the answer left behind would stay.
    await expect.poll(() => vi.getTimerCount(), { timeout: 10_000 }).toBe(0)
  })

  const fromColumns = OPERATIONS.filter(({ needs }) => needs?.endsWith('object'))
  it.each(fromColumns)('the object: $name', async (operation) => {
    await ask(operation)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const APPLICATIONS = { getByName: silent } as unknown as Env['APPLICATIONS']
    const { answer, seconds } = await inFastTime(ask(operation, { APPLICATIONS }))
    await expectUnavailable(answer, OBJECT_AWAY)
    expect(seconds).toBeLessThanOrEqual(20)
  })

  it('the queue: for ten seconds', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const collect = OPERATIONS.find(({ name }) => name === 'collectEvents') as OperationCall
    const { answer, seconds } = await inFastTime(ask(collect, { EVENTS: silent() }))
    await expectUnavailable(answer, QUEUE_AWAY)
    expect(seconds).toBeLessThanOrEqual(10)
  })
})

it('an answer that is not written into KV is still right for the next one', async () => {
  const { key } = await createAccount()
  const headers = { 'x-api-key': key }
  for (let count = 0; count < 3; count++) {
    const response = await requestWith({ CACHE: rejecting() }, '/enterprise/available-handles', { headers })
    expect([response.status, await response.json()]).toEqual([200, []])
  }
})
