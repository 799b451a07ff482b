import { randomUUID } from 'node:crypto'
import { expect, inject } from 'vitest'
import type { Owned } from './service.ts'

export const { baseUrl, apiKey, handle, owned } = inject('service')

/** A service that is somebody else's may have limits that the tests reach: then they wait, as it says. */
export async function call(path: string, init: RequestInit = {}): Promise<Response> {
  for (;;) {
    const response = await send(path, init)
    if (owned || response.status !== 429) return response
    await response.arrayBuffer()
    await new Promise((resolve) => setTimeout(resolve, 1000 * Number(response.headers.get('retry-after') ?? 1)))
  }
}

/**
 * A server that refused a body without reading it hangs up afterwards, perhaps while the next request is on its way, and the
 * local proxy may lose a connection, too. Both are asked once more; what is wrong with the service is wrong then as well.
 */
async function send(path: string, init: RequestInit): Promise<Response> {
  const again = () => fetch(baseUrl + path, init)
  try {
    const response = await again()
    return isOfProxy(response) ? again() : response
  } catch (error) {
    if ((error as { cause?: { code?: string } }).cause?.code === 'ECONNRESET') return again()
    throw error
  }
}

/** The service says everything as JSON, but for the page of its reference. */
function isOfProxy({ status, headers }: Response): boolean {
  return status >= 500 && (headers.get('content-type') ?? '').startsWith('text/plain')
}

export function get(path: string, key = apiKey): Promise<Response> {
  return call(path, { headers: { 'x-api-key': key } })
}

/** Sends a value as JSON; a text goes as it is. */
export function post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return call(path, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}

/** Skips the test, with the reason, if the service is somebody else's and no key can be had. */
export function needOwned({ skip }: { skip: (reason: string) => never }): Owned {
  return owned ?? skip('needs keys that only the owner of the database can make')
}

/** A new key of the account, for its application. */
export async function issueKey(scope: string): Promise<{ readonly id: string; readonly key: string }> {
  const response = await post('/keys', { name: 'Conformance', scope, handle })
  return ((await response.json()) as { data: { id: string; key: string } }).data
}

export function newHandle(): string {
  return `@c${randomUUID().replaceAll('-', '')}`
}

export function registrationOf(handle: string, changes: Record<string, unknown> = {}) {
  return {
    name: 'Lemon Shop',
    handle,
    link: 'https://t.me/lemon_shop_bot/app',
    description: 'Lemons, by the crate',
    photo_url: 'https://example.org/lemon.png',
    ...changes,
  }
}

/** A user that no other test has: an id beyond 32 bits. */
export function newUser(): number {
  return 2 ** 40 + Math.floor(Math.random() * 2 ** 50)
}

/** A user of the application with a value for every property. */
export async function seenUser(): Promise<number> {
  const user = newUser()
  await post('/v1/client/events', { event_type: 'Seen', telegram_id: user, datetime: Date.now() })
  for (const path of [`/users/${user}`, `/users/${user}/events`]) {
    while ((await get(path)).status !== 200) await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return user
}

export interface ExpectedFault {
  readonly loc: readonly (string | number)[]
  readonly type: string
  readonly msg?: string
}

/** The answer is a 422 with these faults and no other, in any order, each with exactly `loc`, `msg`, `type`. */
export async function expectFaults(response: Response, ...faults: ExpectedFault[]): Promise<void> {
  expect(response.status).toBe(422)
  expect(response.headers.get('content-type')).toMatch(/^application\/json/)
  const body = (await response.json()) as { detail: unknown[] }
  const expected = faults.map(({ loc, type, msg }) => ({ loc, type, msg: msg ?? expect.any(String) }))
  expect(body.detail).toHaveLength(faults.length)
  expect(body).toEqual({ detail: expect.arrayContaining(expected) })
}

/** The answer has this status and says why in a sentence. */
export async function expectProblem(response: Response, status: number): Promise<void> {
  expect(response.status).toBe(status)
  expect(response.headers.get('content-type')).toMatch(/^application\/json/)
  expect(await response.json()).toEqual({ detail: expect.stringMatching(/^[A-Z].*\.$/s) })
}
