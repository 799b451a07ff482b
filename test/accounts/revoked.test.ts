import { env } from 'cloudflare:workers'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { hashSecret } from '../../src/access/secrets.ts'
import { createPlainApplication, type PlainApplication } from '../support/applications.ts'
import { createKey, request } from '../support/client.ts'
import { deliver, messagesOf } from '../support/delivery.ts'
import { requestWith } from '../support/failures.ts'
import { EVENT, OPERATIONS, type OperationCall, toRequest } from '../support/operations.ts'

const LONGEST_MS = 90_000
const start = Date.now()
let application: PlainApplication
let key: string

beforeAll(async () => {
  application = await createPlainApplication()
  await deliver(messagesOf(application.applicationId, [EVENT]))
})
beforeEach(async () => {
  key = await createKey(application.accountId, 'full', application.applicationId)
  vi.useFakeTimers({ toFake: ['Date'], now: start })
})
async function ask(operation: OperationCall, seconds = 0): Promise<number> {
  vi.setSystemTime(start + seconds * 1000)
  const { path, init } = toRequest(operation, key, application.handle)
  const response = await request(path, init)
  // Not read to its end: an export waits while a user of its application is erased.
  await response.body?.cancel()
  return response.status
}

function change(assignment: string, ...values: unknown[]): Promise<unknown> {
  const statement = env.DB.prepare(`update api_keys set ${assignment} where hash = ?`)
  return statement.bind(...values, hashSecret(key)).run()
}

/** Asks on the way, so that copies are renewed, and then when the time is over. */
async function askUntilLongest(operation: OperationCall): Promise<number> {
  for (const seconds of [30, 60]) await ask(operation, seconds)
  return ask(operation, LONGEST_MS / 1000)
}

describe.each(OPERATIONS)('within 90 seconds $name', (operation) => {
  const closed = { full: 'read', questions: 'client', client: 'read' }[operation.part ?? 'questions']

  it('rejects a revoked key', async () => {
    expect(await ask(operation)).toBe(operation.status ?? 200)
    await change('revoked_at = ?', start)
    expect(await askUntilLongest(operation)).toBe(401)
  })

  it('rejects a revoked key, even if nobody asked in the meantime', async () => {
    expect(await ask(operation)).toBe(operation.status ?? 200)
    await change('revoked_at = ?', start)
    expect(await ask(operation, LONGEST_MS / 1000)).toBe(401)
  })

  it(`is closed to a key that became one of scope ${closed}`, async () => {
    expect(await ask(operation)).toBe(operation.status ?? 200)
    await change('scope = ?', closed)
    expect(await askUntilLongest(operation)).toBe(403)
  })
})

it('never knows a revoked key again once it has said no', async () => {
  // Not one that discards copies itself.
  const operation = OPERATIONS.find(({ name }) => name === 'listKeys') as OperationCall
  const { path, init } = toRequest(operation, key, application.handle)
  // After the tests above, whose registrations discard all copies up to then.
  const began = start + 2 * LONGEST_MS
  const askAt = async (seconds: number) => {
    vi.setSystemTime(began + seconds * 1000)
    return (await requestWith({}, path, init)).status
  }
  expect(await askAt(0)).toBe(200)
  await change('revoked_at = ?', began)
  const seconds = Array.from({ length: LONGEST_MS / 1000 }, (_, index) => index + 1)
  const statuses: number[] = []
  for (const second of seconds) statuses.push(await askAt(second))
  const first = statuses.indexOf(401)
  expect(first).toBeGreaterThan(0)
  expect(new Set(statuses.slice(first))).toEqual(new Set([401]))
})
