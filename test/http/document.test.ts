import { createRoute, z } from '@hono/zod-openapi'
import { describe, expect, it } from 'vitest'
import { documentOf } from '../../src/http/document.ts'
import { jsonAnswer, jsonBody, problems } from '../../src/http/openapi.ts'
import { integerParam } from '../../src/http/params.ts'
import { operation } from '../../src/http/router.ts'

const Answer = z.object({ ok: z.boolean() })
const CONFIG = { openapi: '3.1.0', info: { title: 'Test', version: '1' } }

const read = operation(
  createRoute({
    method: 'get',
    path: '/lemons',
    request: { query: z.object({ limit: integerParam({ min: 1, max: 9 }).default(5) }) },
    responses: { 200: jsonAnswer(Answer, 'Lemons.', { ripeness: 'How ripe.' }), ...problems(404) },
  }),
  { header: 'authorization', scope: 'client' },
  async () => ({ ok: true }),
)

const write = operation(
  createRoute({
    method: 'post',
    path: '/lemons',
    description: 'Plants one.',
    request: { body: jsonBody(z.object({ name: z.string() })) },
    responses: { 200: jsonAnswer(Answer, 'Planted.') },
  }),
  { header: 'x-api-key', scope: 'full' },
  async () => ({ ok: true }),
)

const { paths } = documentOf([read, write], CONFIG)
const get = paths?.['/lemons']?.get
const post = paths?.['/lemons']?.post

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
    expect(get).toMatchObject({ description: 'Takes a key of any scope.', 'x-key-scope': 'client' })
    expect(post).toMatchObject({ description: 'Plants one. Takes a key of scope `full`.', 'x-key-scope': 'full' })
  })

  it('has its parameters with bounds and default, and the project', () => {
    expect(get?.parameters).toMatchObject([
      { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 9, default: 5 } },
      { name: 'project', in: 'query', required: false },
      { name: 'x-project-id', in: 'header', required: false },
    ])
  })

  it('names the headers of each answer', () => {
    const headers = (status: number) => Object.keys(get?.responses?.[status]?.headers ?? {})
    expect(headers(200)).toEqual(['ripeness', 'x-request-id'])
    expect(headers(401)).toEqual(['WWW-Authenticate', 'x-request-id'])
    expect(headers(429)).toEqual(['Retry-After', 'x-request-id'])
  })
})
