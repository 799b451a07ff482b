import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import worker from '../../src/index.ts'

/**
 * Asks the worker's own handler for JSON, for tests that ask thousands of times: what `getJson` goes through gets slower with
 * every request of a test file (cloudflare/workers-sdk issue 15446).
 */
export async function getDirectly<Answer>(path: string, key: string): Promise<Answer> {
  const request = new Request(`https://mauve.test${path}`, { headers: { 'x-api-key': key } })
  const response = await worker.fetch(request, env, createExecutionContext())
  return response.json<Answer>()
}
