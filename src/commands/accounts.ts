import { randomUUID } from 'node:crypto'
import type { SqliteRemoteDatabase } from 'drizzle-orm/sqlite-proxy'
import { issueKey } from '../access/api-keys.ts'
import { issueKeyFor as issueAccountKey, type KeyOrder, KeyRefused } from '../accounts/account-keys.ts'
import { listOwnApplications } from '../accounts/applications/applications.ts'
import { insertAccount, insertKey, selectAccount, updatePlan } from '../accounts/sql.ts'
import { CommandFailure } from './failure.ts'

export const PLANS = ['standard', 'enterprise'] as const

export type Plan = (typeof PLANS)[number]

export interface NewAccount {
  readonly accountId: string
  /** Shown once: only its hash is kept. */
  readonly apiKey: string
}

/** Creates an account and its first key, which opens everything, in one transaction. */
export async function createAccount(db: SqliteRemoteDatabase, name: string, plan: Plan): Promise<NewAccount> {
  const accountId = randomUUID()
  const issued = issueKey()
  const now = Date.now()
  await db.batch([
    insertAccount(db, { id: accountId, name, plan, createdAt: now }),
    insertKey(db, { issued, accountId, scope: 'full', name: 'First key', applicationId: null, now }, 1),
  ])
  return { accountId, apiKey: issued.key }
}

/** What the platform keeps of the account's keys may show the old plan for another 75 seconds. */
export async function changePlan(db: SqliteRemoteDatabase, accountId: string, plan: Plan): Promise<void> {
  await requireAccount(db, accountId)
  await updatePlan(db, accountId, plan)
}

/** Returns the key itself. What is refused is told in the words of the command line. */
export async function issueKeyFor(db: SqliteRemoteDatabase, order: KeyOrder): Promise<string> {
  await requireAccount(db, order.accountId)
  try {
    return (await issueAccountKey(db, order, Date.now())).key
  } catch (error) {
    throw error instanceof KeyRefused ? await explain(error, db, order) : error
  }
}

async function explain({ reason, message }: KeyRefused, db: SqliteRemoteDatabase, order: KeyOrder) {
  if (reason === 'none') return new CommandFailure(message)
  if (reason === 'several') return new CommandFailure(`${message} Use --application HANDLE.`)
  const handles = (await listOwnApplications(db, { accountId: order.accountId, applicationId: null })).map(
    ({ handle }) => handle,
  )
  const known = handles.join(', ') || 'none yet'
  return new CommandFailure(`This account has no application ${order.application}. It has: ${known}.`)
}

export async function requireAccount(db: SqliteRemoteDatabase, accountId: string): Promise<void> {
  const found = await selectAccount(db, accountId)
  if (found.length === 0) {
    throw new CommandFailure(`There is no account ${accountId}. List them: npm run account -- list`)
  }
}
