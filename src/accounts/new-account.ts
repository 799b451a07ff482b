import { randomUUID } from 'node:crypto'
import { issueKey } from '../access/api-keys.ts'
import type { BatchDatabase, Database } from '../storage/database.ts'
import { insertAccount, insertFirstAccount, insertKey, selectAnyAccount } from './sql.ts'

export const PLANS = ['standard', 'enterprise'] as const

export type Plan = (typeof PLANS)[number]

export interface NewAccount {
  readonly name: string
  readonly plan: Plan
  /** Milliseconds since 1970 UTC. */
  readonly now: number
}

/** An account and its first key, which opens everything, as a batch of statements. */
export function newAccount(db: Database, account: NewAccount) {
  const { row, apiKey, insertion } = compose(db, account)
  return { accountId: row.id, apiKey, statements: [insertAccount(db, row), insertion] as const }
}

/** Whether the service has any account. */
export async function hasAccount(db: Database): Promise<boolean> {
  return (await selectAnyAccount(db)).length > 0
}

interface FirstAccount {
  readonly accountId: string
  /** Shown once, never stored. */
  readonly apiKey: string
}

/** Creates the first account of a service and its key. Returns null if there is an account, also one that is made at the same time. */
export async function createFirstAccount(db: BatchDatabase, account: NewAccount): Promise<FirstAccount | null> {
  const { row, apiKey, insertion } = compose(db, account)
  const [created] = await db.batch([insertFirstAccount(db, row), insertion])
  return created.length > 0 ? { accountId: row.id, apiKey } : null
}

function compose(db: Database, { name, plan, now }: NewAccount) {
  const [row, issued] = [{ id: randomUUID(), name, plan, createdAt: now }, issueKey()]
  const key = { issued, accountId: row.id, scope: 'full' as const, persons: true, name: 'First key', now }
  return { row, apiKey: issued.key, insertion: insertKey(db, { ...key, applicationId: null }, 1) }
}
