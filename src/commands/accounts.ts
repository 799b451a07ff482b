import { randomUUID } from 'node:crypto'
import type { SqliteRemoteDatabase } from 'drizzle-orm/sqlite-proxy'
import { issueKey } from '../access/api-keys.ts'
import { issueLink } from '../access/sessions.ts'
import { issueKeyFor as issueAccountKey, type KeyOrder, KeyRefused } from '../accounts/account-keys.ts'
import { listOwnApplications } from '../accounts/applications/applications.ts'
import { insertAccount, insertKey, selectAccount } from '../accounts/sql.ts'
import { CommandFailure } from './failure.ts'

export const PLANS = ['standard', 'enterprise'] as const

export type Plan = (typeof PLANS)[number]

/** Creates an account and its first key, which opens everything, in one transaction. The key is returned only here. */
export async function createAccount(db: SqliteRemoteDatabase, name: string, plan: Plan) {
  const accountId = randomUUID()
  const issued = issueKey()
  const now = Date.now()
  await db.batch([
    insertAccount(db, { id: accountId, name, plan, createdAt: now }),
    insertKey(db, { issued, accountId, scope: 'full', persons: true, name: 'First key', applicationId: null, now }, 1),
  ])
  return { accountId, apiKey: issued.key }
}

export async function issueKeyFor(db: SqliteRemoteDatabase, order: KeyOrder): Promise<string> {
  await requireAccount(db, order.accountId)
  try {
    return (await issueAccountKey(db, order, Date.now())).key
  } catch (error) {
    throw error instanceof KeyRefused ? await explain(error, db, order) : error
  }
}

/** A refusal in the words of the command line. */
async function explain({ reason, message }: KeyRefused, db: SqliteRemoteDatabase, order: KeyOrder) {
  if (reason === 'none') return new CommandFailure(message)
  if (reason === 'several') return new CommandFailure(`${message} Use --application HANDLE.`)
  const applications = await listOwnApplications(db, { accountId: order.accountId, applicationId: null })
  const known = applications.map(({ handle }) => handle).join(', ') || 'none yet'
  return new CommandFailure(`This account has no application ${order.application}. It has: ${known}.`)
}

/** Returns the account. Throws `CommandFailure` if it does not exist. */
export async function requireAccount(db: SqliteRemoteDatabase, accountId: string) {
  const [found] = await selectAccount(db, accountId)
  if (found) return found
  throw new CommandFailure(`There is no account ${accountId}. List them: npm run account -- list`)
}

/** A link that signs in once. `address` is the service's. */
export async function makeSignInLink(db: SqliteRemoteDatabase, accountId: string, address: string): Promise<string> {
  await requireAccount(db, accountId)
  return `${new URL(address).origin}/sign-in?token=${await issueLink(db, accountId, Date.now())}`
}
