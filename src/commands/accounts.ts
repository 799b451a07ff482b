import { randomUUID } from 'node:crypto'
import type { SqliteRemoteDatabase } from 'drizzle-orm/sqlite-proxy'
import { issueKey, type Scope } from '../accounts/api-keys.ts'
import { insertAccount, insertKey, selectAccount, updatePlan } from '../accounts/sql.ts'
import { selectApplications } from '../applications/sql.ts'
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
    insertKey(db, { issued, accountId, scope: 'full', applicationId: null, now }),
  ])
  return { accountId, apiKey: issued.key }
}

/** What the platform keeps of the account's keys may show the old plan for another 75 seconds. */
export async function changePlan(db: SqliteRemoteDatabase, accountId: string, plan: Plan): Promise<void> {
  await requireAccount(db, accountId)
  await updatePlan(db, accountId, plan)
}

export interface KeyOrder {
  readonly accountId: string
  readonly scope: Scope
  /** Handle or project id of the application that the key acts for. */
  readonly application: string | undefined
}

export async function issueKeyFor(
  db: SqliteRemoteDatabase,
  { accountId, scope, application }: KeyOrder,
): Promise<string> {
  await requireAccount(db, accountId)
  const applicationId = await findScope(db, { accountId, scope, application })
  const issued = issueKey()
  await insertKey(db, { issued, accountId, scope, applicationId, now: Date.now() })
  return issued.key
}

export async function requireAccount(db: SqliteRemoteDatabase, accountId: string): Promise<void> {
  const found = await selectAccount(db, accountId)
  if (found.length === 0) {
    throw new CommandFailure(`There is no account ${accountId}. List them: npm run account -- list`)
  }
}

/** A key that opens everything may register its application later; one for tracking clients can't, so it needs one now. */
async function findScope(
  db: SqliteRemoteDatabase,
  { accountId, scope, application }: KeyOrder,
): Promise<number | null> {
  if (application !== undefined) return findApplication(db, accountId, application)
  if (scope === 'full') return null
  const [only, ...others] = await selectApplications(db, accountId)
  if (only && others.length === 0) return only.id
  throw new CommandFailure(
    only
      ? 'This account has several applications. Name the one that the key is for: --application HANDLE'
      : 'This account has no application yet. Register one first: a key for tracking clients cannot do that.',
  )
}

async function findApplication(db: SqliteRemoteDatabase, accountId: string, name: string): Promise<number> {
  const applications = await selectApplications(db, accountId)
  const handle = name.replace(/^@/, '').toLowerCase()
  const found = applications.find(
    (application) => application.projectId === name || application.handle.toLowerCase() === handle,
  )
  if (found) return found.id
  const known = applications.map((application) => application.handle).join(', ') || 'none yet'
  throw new CommandFailure(`This account has no application ${name}. It has: ${known}.`)
}
