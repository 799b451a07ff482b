import { DrizzleQueryError } from 'drizzle-orm/errors'
import { Hono } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Failure, type FailureKind, Invalid } from '../../src/base/errors.ts'
import type { AppEnv } from '../../src/http/context.ts'
import { notFoundIn, toProblem } from '../../src/http/problem.ts'
import { DATABASE_AWAY } from '../../src/storage/database.ts'

let logged: string[] = []

beforeEach(() => {
  logged = []
  vi.spyOn(console, 'error').mockImplementation((line) => void logged.push(line))
})
afterEach(() => void vi.restoreAllMocks())

const REQUEST_ID = '06228d54-5051-47ab-bec7-4c2fc5e755ba'

/** The answer of an app whose one handler fails like this. */
async function answerTo(error: Error): Promise<Response> {
  const app = new Hono<{ Variables: { requestId: string } }>()
  app.onError(toProblem)
  app.use((c, next) => {
    c.set('requestId', REQUEST_ID)
    return next()
  })
  app.get('/', () => {
    throw error
  })
  return app.request('/')
}

describe('a failure', () => {
  const statuses = {
    'key-missing': 401,
    'key-unknown': 401,
    'not-verified': 401,
    forbidden: 403,
    'not-found': 404,
    conflict: 409,
    'too-large': 413,
    'not-json': 415,
    'too-many': 429,
    unavailable: 503,
  } satisfies Record<FailureKind, number>

  it.each(Object.entries(statuses))('a failure that is %s answers %i with its sentence', async (kind, status) => {
    const response = await answerTo(new Failure(kind as FailureKind, 'A sentence.'))
    expect(response.status).toBe(status)
    expect(response.headers.get('content-type')).toMatch(/^application\/json/)
    expect(response.headers.has('www-authenticate')).toBe(status === 401)
    const detail = status === 503 ? `A sentence. Request id: ${REQUEST_ID}` : 'A sentence.'
    expect(await response.json()).toEqual({ detail })
  })

  it('a failure of the service logs its cause; one of the caller logs nothing', async () => {
    await answerTo(new Failure('forbidden', 'No.'))
    expect(logged).toEqual([])
    await answerTo(new Failure('unavailable', 'Later.', { cause: new Error('the queue is away') }))
    expect(logged).toHaveLength(1)
    expect(logged[0]).toContain('the queue is away')
  })
})

it('invalid input answers 422 with all faults, and nothing else', async () => {
  const faults = [
    { loc: ['query', 'limit'], msg: 'Input should be greater than or equal to 1', type: 'greater_than_equal' },
    { loc: ['body', 3, 'name'], msg: 'Field required', type: 'missing' },
  ]
  const response = await answerTo(new Invalid(faults))
  expect(response.status).toBe(422)
  expect(await response.json()).toEqual({ detail: faults })
  expect(logged).toEqual([])
})

it("an exception of the framework keeps its status and takes the house's form", async () => {
  const response = await answerTo(new HTTPException(400, { message: 'Bad.' }))
  expect(response.status).toBe(400)
  expect(await response.json()).toEqual({ detail: 'Bad.' })
})

it('an unknown error reveals no internals, and its request id finds it in the log', async () => {
  const response = await answerTo(new TypeError('secret table accounts is missing'))
  expect(response.status).toBe(500)
  const text = await response.text()
  expect(text).not.toMatch(/secret|accounts|TypeError|\.ts/)
  expect(logged).toHaveLength(1)
  const line = JSON.parse(logged[0] ?? '')
  expect(line).toMatchObject({ level: 'error', event: 'request failed', request_id: REQUEST_ID })
  expect(JSON.parse(text)).toEqual({ detail: `Something went wrong on our side. Request id: ${REQUEST_ID}` })
  expect(line.error).toContain('secret table accounts is missing')
})

it('an answer that asks for patience says for how many seconds', async () => {
  const response = await answerTo(new Failure('too-many', 'Enough.', { retryAfterSeconds: 7 }))
  expect([response.status, response.headers.get('retry-after')]).toEqual([429, '7'])
})

describe('an error of the database', () => {
  const lost = new Failure('unavailable', DATABASE_AWAY, { cause: new Error('Network connection lost.') })
  const failed = (cause: Error) => new DrizzleQueryError('select ?', ['lemon'], cause)

  it.each([lost, failed(lost)])('a database that is away answers 503 (%#)', async (error) => {
    const response = await answerTo(error)
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await response.json()).toEqual({ detail: `${DATABASE_AWAY} Request id: ${REQUEST_ID}` })
    expect(JSON.parse(logged[0] ?? '')).toMatchObject({ event: 'unavailable', request_id: REQUEST_ID })
    expect(logged[0]).toContain('Network connection lost.')
    expect(logged[0]).not.toContain('lemon')
  })

  it.each([
    new Error('D1_TYPE_ERROR: Type undefined not supported'),
    failed(new Error('D1_ERROR: no such table: users: SQLITE_ERROR')),
    failed(new Error('D1_ERROR: NOT NULL constraint failed: SQLITE_CONSTRAINT')),
    failed(new TypeError('x is not a function')),
  ])('a database that was asked wrongly answers 500 (%#)', async (error) => {
    expect((await answerTo(error)).status).toBe(500)
  })
})

it('an unknown address and an unknown method get a sentence', async () => {
  const app = new Hono<AppEnv>()
  app.use(async (c, next) => {
    c.set('headers', {})
    await next()
  })
  app.notFound(notFoundIn(app))
  app.get('/', (c) => c.text('Here.'))
  const [absent, misused] = [await app.request('/nothing'), await app.request('/', { method: 'PUT' })]
  expect([absent.status, await absent.json()]).toEqual([404, { detail: 'There is nothing at this address.' }])
  expect([misused.status, await misused.json()]).toEqual([405, { detail: 'This address takes GET, HEAD only.' }])
  expect(misused.headers.get('allow')).toBe('GET, HEAD')
})
