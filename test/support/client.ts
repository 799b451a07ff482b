import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { randomUUID } from 'node:crypto'
import { type Scope, showsPersonsByDefault } from '../../src/access/api-keys.ts'
import { hashSecret } from '../../src/access/secrets.ts'
import { insertAccount, insertKey } from '../../src/accounts/sql.ts'
import worker from '../../src/index.ts'
import { openDatabase } from '../../src/storage/database.ts'

/**
 * Asks the worker's own handler. By way of `exports.default` every request of a test file would be slower than the one before
 * (cloudflare/workers-sdk issue 15446); over HTTP `test/conformance` asks.
 */
export async function request(path: string, init: RequestInit = {}): Promise<Response> {
  return worker.fetch(new Request(`https://mauve.test${path}`, init), env, createExecutionContext())
}

export function getJson(path: string, key: string, headers: Record<string, string> = {}): Promise<Response> {
  return request(path, { headers: { 'x-api-key': key, ...headers } })
}

/** Sends a value as JSON; a text goes as it is. */
export function postJson(path: string, key: string, body: unknown, headers: Record<string, string> = {}) {
  return sendJson('POST', path, { key, body, headers })
}

interface Sent {
  readonly key: string
  readonly body: unknown
  readonly headers?: Record<string, string>
}

export function sendJson(method: string, path: string, { key, body, headers }: Sent): Promise<Response> {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return request(path, {
    method,
    headers: { 'x-api-key': key, 'content-type': 'application/json', ...headers },
    body: text,
  })
}

export interface TestAccount {
  readonly id: string
  readonly key: string
}

/** A new account with a key; every test brings its own. */
export async function createAccount(plan: 'standard' | 'enterprise' = 'enterprise'): Promise<TestAccount> {
  const id = randomUUID()
  await insertAccount(openDatabase(env.DB), { id, name: 'Test', plan, createdAt: Date.now() })
  return { id, key: await createKey(id, 'full') }
}

export async function createKey(accountId: string, scope: Scope, applicationId: number | null = null): Promise<string> {
  const key: string = randomUUID()
  await insertTestKey(accountId, scope, applicationId, key)
  return key
}

/** A statement, which can be run with others. */
export function insertTestKey(
  accountId: string,
  scope: Scope,
  applicationId: number | null = null,
  key: string = randomUUID(),
) {
  const issued = { key, hash: hashSecret(key), lastFour: key.slice(-4) }
  const row = { issued, accountId, scope, persons: showsPersonsByDefault(scope), applicationId, now: Date.now() }
  return insertKey(openDatabase(env.DB), row, 1_000)
}

export interface TestApplication extends TestAccount {
  readonly handle: string
}

/** A new account with a registered application. */
export async function createApplication(): Promise<TestApplication> {
  const account = await createAccount()
  const handle = `bot_${randomUUID().slice(0, 8)}`
  const response = await postJson('/applications/register', account.key, registrationOf(handle))
  if (response.status !== 200) throw new Error(`registration answered ${response.status}: ${await response.text()}`)
  return { ...account, handle }
}

export function registrationOf(handle: string) {
  return {
    name: 'Lemon Shop',
    handle: `@${handle}`,
    link: `https://t.me/${handle}`,
    description: 'Lemons',
    photo_url: 'https://example.org/lemon.png',
  }
}
