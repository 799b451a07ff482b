import { env } from 'cloudflare:workers'
import { DrizzleQueryError } from 'drizzle-orm/errors'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { insertAccount } from '../../src/accounts/sql.ts'
import { Failure } from '../../src/base/errors.ts'
import { DATABASE_AWAY, openDatabase } from '../../src/storage/database.ts'
import { databaseAway, inFastTime, silentDatabase } from '../support/failures.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

/** What a single statement and a batch throw. */
async function failuresOf(binding: D1Database): Promise<unknown[]> {
  const db = openDatabase(binding)
  const account = { id: '1', name: 'Test', plan: 'standard', createdAt: 0 } as const
  const single = insertAccount(db, account).then(() => null)
  const batch = db.batch([insertAccount(db, account)])
  const outcomes = (await inFastTime(Promise.allSettled([single, batch]))).answer
  const thrown = outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason : null))
  return thrown.map((error) => (error instanceof DrizzleQueryError ? error.cause : error))
}

/** What passes: the list of D1's documentation, and what objects, the network and SQLite say besides. */
describe.each([
  'D1_ERROR: D1 DB reset because its code was updated.',
  'D1_ERROR: Internal error while starting up D1 DB storage caused object to be reset.',
  'D1_ERROR: Internal error in D1 DB storage caused object to be reset.',
  'D1_ERROR: Network connection lost.',
  'Network connection lost.',
  'D1_ERROR: Cannot resolve D1 DB due to transient issue on remote node.',
  'D1_ERROR: D1 DB is overloaded. Requests queued for too long.',
  'D1 DB is overloaded. Too many requests queued.',
  'D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset.',
  "D1_ERROR: D1 DB's isolate exceeded its memory limit and was reset.",
  'D1_ERROR: D1 DB exceeded its CPU time limit and was reset.',
  'internal error; reference = 3dcb4c2f',
  'Durable Object reset because its code was updated.',
  'D1_ERROR: database is locked: SQLITE_BUSY',
  'D1_ERROR: disk I/O error: SQLITE_IOERR',
])('the error "%s"', (message) => {
  it('is the database being away', async () => {
    const failures = await failuresOf(databaseAway(message))
    expect(failures).toHaveLength(2)
    for (const failure of failures) {
      expect(failure).toBeInstanceOf(Failure)
      expect(failure).toMatchObject({ kind: 'unavailable', message: DATABASE_AWAY, cause: { message } })
    }
  })
})

it.each([
  'D1_ERROR: no such table: users: SQLITE_ERROR',
  'D1_ERROR: UNIQUE constraint failed: accounts.id: SQLITE_CONSTRAINT',
  'D1_ERROR: string or blob too big: SQLITE_TOOBIG',
  'D1_ERROR: Wrong number of parameter bindings for SQL query.',
  'D1_TYPE_ERROR: Type undefined not supported',
])('the error "%s" stays what it is', async (message) => {
  for (const error of await failuresOf(databaseAway(message))) {
    expect(error).not.toBeInstanceOf(Failure)
    expect(error).toMatchObject({ message })
  }
})

it.each([
  ['lookUp', 5],
  ['question', 20],
  ['job', 30],
] as const)('a %s waits for %i seconds', async (kind, limit) => {
  const db = openDatabase(silentDatabase(), kind)
  const asked = db.batch([insertAccount(db, { id: '1', name: '', plan: 'standard', createdAt: 0 })])
  const { answer, seconds } = await inFastTime(Promise.allSettled([asked]))
  expect(answer).toMatchObject([{ status: 'rejected', reason: { kind: 'unavailable' } }])
  expect(seconds).toBe(limit)
})

it('leaves no timer behind, however a call ends', async () => {
  const account = { name: 'Test', plan: 'standard', createdAt: 0 } as const
  await insertAccount(openDatabase(env.DB), { id: crypto.randomUUID(), ...account })
  await failuresOf(databaseAway())
  await failuresOf(silentDatabase())
  expect(vi.getTimerCount()).toBe(0)
})
