import type { SqliteRemoteDatabase } from 'drizzle-orm/sqlite-proxy'
import { issueLink } from '../access/sessions.ts'
import { issueKeyFor as issueAccountKey, type KeyOrder, KeyRefused } from '../accounts/account-keys.ts'
import { listOwnApplications } from '../accounts/applications/applications.ts'
import { newAccount, type Plan } from '../accounts/new-account.ts'
import { selectAccount } from '../accounts/sql.ts'
import { CommandFailure } from './failure.ts'

/** Creates an account and its first key, which opens everything, in one transaction. The key is returned only here. */
export async function createAccount(db: SqliteRemoteDatabase, name: string, plan: Plan) {
  const { accountId, apiKey, statements } = newAccount(db, { name, plan, now: Date.now() })
  await db.batch(statements)
  return { accountId, apiKey }
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
