import { randomUUID } from 'node:crypto'
import { createRoute, z } from '@hono/zod-openapi'
import { type Context, Hono } from 'hono'
import { describe, expect, it, vi } from 'vitest'
import { Failure } from '../../../src/base/errors.ts'
import { jsonAnswer, jsonBody, problems } from '../../../src/http/api/answers.ts'
import { type BudgetName, limitKey } from '../../../src/http/api/budgets.ts'
import { documentOf } from '../../../src/http/api/document.ts'
import { operation } from '../../../src/http/api/operation.ts'
import type { AppEnv } from '../../../src/http/context.ts'
import { integer, integerParam } from '../../../src/http/params.ts'
import { toProblem } from '../../../src/http/problem.ts'
import { DATABASE_AWAY } from '../../../src/storage/database.ts'

const Answer = z.object({
  ok: z.boolean(),
  id: z.number().int().optional(),
  wide: integer({ min: 0, max: 2 ** 31 }).optional(),
  narrow: integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }).optional(),
  some: z.number().int().min(1).max(9).nullish(),
  most: z
    .number()
    .int()
    .min(1)
    .max(2 ** 53 - 1)
    .nullish(),
})
const CONFIG = { openapi: '3.1.0', info: { title: 'Test', version: '1' } }

const read = operation(
  createRoute({
    method: 'get',
    path: '/lemons',
    request: { query: z.object({ limit: integerParam({ min: 1, max: 9 }).default(5) }) },
    responses: {
      200: jsonAnswer(Answer, 'Lemons.', { ripeness: 'How ripe.' }),
      ...problems({ 404: 'Here are no lemons.' }),
    },
  }),
  { header: 'authorization', scope: 'client' },
  async () => ({ ok: true }),
)

const plantLemon = createRoute({
  method: 'post',
  path: '/lemons',
  description: 'Plants one.',
  request: { body: jsonBody(z.object({ name: z.string() })) },
  responses: { 200: jsonAnswer(Answer, 'Planted.') },
})

const write = operation(plantLemon, { header: 'x-api-key', scope: 'full' }, async () => ({ ok: true }))

const { paths } = documentOf([read, write], CONFIG)
const get = paths?.['/lemons']?.get
const post = paths?.['/lemons']?.post

/** The sentence of an error's example. */
function exampleOf(described: typeof get, status: number): string {
  return described?.responses?.[status]?.content?.['application/json']?.example.detail
}

/** Seven seconds before the end of a period. */
const NOW = Date.UTC(2026, 10, 20) + 3_000

/** Asks until a limiter that has nothing to give is asked, and once more. */
async function spendAll(c: Context<AppEnv>, budget: BudgetName): Promise<Response> {
  const limiter = { limit: async () => ({ success: false }) }
  c.env = {
    QUESTIONS_BY_KEY: limiter,
    COLLECTION_BY_KEY: limiter,
    CONFIGURATION_BY_KEY: limiter,
    REGISTRATION_BY_KEY: limiter,
  } as unknown as Env
  c.set('now', NOW)
  const asked: Promise<unknown>[] = []
  c.set('defer', (work) => void asked.push(work))
  const key = randomUUID()
  while (asked.length === 0) limitKey(c, budget, key)
  await Promise.all(asked)
  limitKey(c, budget, key)
  return c.json({})
}

describe('an operation in the document', () => {
  it('lists what the contract says and what the router may answer', () => {
    expect(Object.keys(get?.responses ?? {})).toEqual(['200', '401', '403', '404', '422', '429', '500', '503'])
    expect(Object.keys(post?.responses ?? {})).toEqual(['200', '401', '403', '413', '415', '422', '429', '500', '503'])
  })

  it('takes the key where the router looks for it', () => {
    expect(get?.security).toEqual([{ bearerKey: [] }, { authorizationKey: [] }])
    expect(post?.security).toEqual([{ apiKey: [] }])
  })

  it('says which keys it takes', () => {
    expect(get).toMatchObject({
      description: 'Takes a key of scope `full` or `client`.',
      'x-key-scopes': ['full', 'client'],
    })
    expect(post).toMatchObject({ description: 'Plants one. Takes a key of scope `full`.', 'x-key-scopes': ['full'] })
  })

  it('has its parameters with bounds and default, and the project', () => {
    expect(get?.parameters).toMatchObject([
      { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 9, default: 5 } },
      { name: 'project', in: 'query', required: false },
      { name: 'x-project-id', in: 'header', required: false },
    ])
  })

  it('says of integers beyond 32 bits that they take 64', () => {
    const { properties } = get?.responses?.['200']?.content?.['application/json']?.schema ?? {}
    const formats = Object.entries<{ format?: string }>(properties).map(([name, { format }]) => [name, format])
    expect(Object.fromEntries(formats)).toEqual({ id: 'int64', wide: 'int64', most: 'int64' })
  })

  it('has the sentences of the contract as examples, and those of the router', () => {
    expect(exampleOf(get, 404)).toBe('Here are no lemons.')
    expect(exampleOf(get, 403)).not.toBe(exampleOf(post, 403))
  })

  it.each([
    [500, new TypeError('x is not a function')],
    [503, new Failure('unavailable', DATABASE_AWAY)],
  ])('says %i word for word', async (status, error) => {
    vi.spyOn(console, 'error').mockReturnValueOnce()
    const [, requestId = ''] = /Request id: (\S+)$/.exec(exampleOf(get, status)) ?? []
    const app = new Hono<{ Variables: { requestId: string } }>().onError(toProblem).get('/', (c) => {
      c.set('requestId', requestId)
      throw error
    })
    expect(await (await app.request('/')).json()).toEqual({ detail: exampleOf(get, status) })
  })

  it.each([undefined, 'questions', 'collection', 'configuration', 'registration'] as const)(
    'says 429 word for word (budget %s)',
    async (budget) => {
      const needs = { header: 'x-api-key', scope: 'full', ...(budget && { budget }) } as const
      const counted = documentOf([operation(plantLemon, needs, async () => ({ ok: true }))], CONFIG)
      const app = new Hono<AppEnv>().onError(toProblem).get('/', (c) => spendAll(c, budget ?? 'questions'))
      const { detail } = (await (await app.request('/')).json()) as { detail: string }
      expect(detail).toBe(exampleOf(counted.paths?.['/lemons']?.post, 429))
    },
  )

  it('names the headers of each answer', () => {
    const headers = (status: number) => Object.keys(get?.responses?.[status]?.headers ?? {})
    expect(headers(200)).toEqual(['ripeness', 'x-request-id'])
    expect(headers(401)).toEqual(['WWW-Authenticate', 'x-request-id'])
    expect(headers(429)).toEqual(['Retry-After', 'x-request-id'])
    expect(headers(503)).toEqual(['Retry-After', 'x-request-id'])
  })
})
