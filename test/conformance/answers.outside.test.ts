import { describe, expect, it } from 'vitest'
import { apiKey, call, handle } from './client.ts'
import { alternatives, goodStatusOf, operations, type Parameter, send } from './openapi.ts'

/** What the answers of all operations have in common. */

/** Their answers are what was asked for, with nothing around it; a registration's has words of its own. */
const WITHOUT_ENVELOPE = [
  'GET /enterprise/available-handles',
  'GET /v1/client/config',
  'GET /export/events',
  'GET /export/users',
  'GET /cohorts/{name}/telegram-ids',
  'POST /applications/register',
]

const NAMED = operations.map((operation) => [`${operation.method} ${operation.path}`, operation] as const)

describe.each(NAMED)('%s', (name, operation) => {
  it.skipIf(WITHOUT_ENVELOPE.includes(name))(
    'returns status_code and message (§Common response envelope fields)',
    async () => {
      const status = goodStatusOf(operation)
      const response = await send(operation)
      expect(response.headers.get('content-type')).toMatch(/^application\/json/)
      expect(await response.json()).toMatchObject({
        status_code: status,
        message: status === 202 ? 'Accepted' : 'Success',
      })
      const [schema] = alternatives(operation.responses[status]?.content?.['application/json']?.schema ?? {})
      expect(schema?.properties).toMatchObject({ status_code: { type: 'integer' }, message: { type: 'string' } })
    },
  )

  it('answers a request that fails validation with 422 and detail (§Errors, §Validation error)', async () => {
    const project = operation.parameters.find(({ name }) => name === 'project') as Parameter
    const response = await send(operation, { parameter: { changed: project, values: ['', ''] } })
    expect(response.status).toBe(422)
    expect(response.headers.get('content-type')).toMatch(/^application\/json/)
    const fault = { loc: ['query', 'project'], msg: expect.any(String), type: expect.any(String) }
    expect(await response.json()).toEqual({ detail: [fault] })
  })
})

describe('versions (§Versioning)', () => {
  it.each([
    '/v1/applications/register',
    `/v1/monthly-active-users/timeseries/${handle}`,
    '/v1/monthly-active-users/growth-trend',
    '/v1/users/segmentation',
    '/v1/users/segmentation/aggregated',
    '/v1/funnels',
    '/v1/events/segmentation',
    `/v1/enterprise/${handle}/premium-timeseries`,
    '/v1/enterprise/available-handles',
    '/client/config',
    '/v2/client/config',
  ])('are in no path but those of the tracking clients (%#)', async (path) => {
    expect((await call(path, { headers: { 'x-api-key': apiKey, authorization: apiKey } })).status).toBe(404)
  })
})
