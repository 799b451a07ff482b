import { issueKey, keyId, type Scope, showsPersonsByDefault } from '../access/api-keys.ts'
import { NO_OWN_KEY } from '../access/refusals.ts'
import { Failure } from '../base/errors.ts'
import type { Database } from '../storage/database.ts'
import { type AccountApplication, listOwnApplications } from './applications/applications.ts'
import { KEYS_FULL, MAX_KEYS } from './contract.ts'
import { type AccountKey, deleteRevokedKeys, insertKey, revokeKey, selectKeys } from './sql.ts'

export type { AccountKey }

export interface KeyOrder {
  readonly accountId: string
  /** For people; may be empty. */
  readonly name: string
  readonly scope: Scope
  /** Whether an assistant that has it sees individual users. By default, with scope `full` only. */
  readonly persons?: boolean | undefined
  /** The application that the key is for: its handle, with or without the at-sign, or its project id. */
  readonly application?: string | undefined
}

const REFUSALS = {
  unknown: 'No application of this account has this handle.',
  none: 'This account has no application yet. Register one first: a key for tracking clients cannot do that.',
  several: 'This account has several applications. Name the one that the key is for.',
} as const

/** A key was not issued because of its application. The message is a sentence for people. */
export class KeyRefused extends Error {
  readonly reason: keyof typeof REFUSALS

  constructor(reason: keyof typeof REFUSALS) {
    super(REFUSALS[reason])
    this.reason = reason
  }
}

/**
 * Issues a key; `key` itself is shown once and never stored. Throws `KeyRefused`, and `conflict` if the account is full. Deletes the
 * oldest revoked keys beyond the limit.
 *
 * Unless the order names an application, a key of scope `full` acts for the account's oldest application and one of scope
 * `client` for its only one; one of scope `read` opens all of them.
 */
export async function issueKeyFor(
  db: Database,
  order: KeyOrder,
  now: number,
): Promise<{ readonly key: string; readonly listed: AccountKey }> {
  const { accountId, name, scope, persons = showsPersonsByDefault(scope) } = order
  const application = applicationFor(order, await listOwnApplications(db, { accountId, applicationId: null }))
  const issued = issueKey()
  const row = { issued, accountId, name, scope, persons, applicationId: application?.id ?? null, now }
  const [inserted] = await insertKey(db, row, MAX_KEYS)
  if (!inserted) throw new Failure('conflict', KEYS_FULL)
  await deleteRevokedKeys(db, { accountId, keep: MAX_KEYS })
  const listed = {
    id: keyId(issued.hash),
    name,
    scope,
    persons,
    handle: application?.handle ?? null,
    lastFour: issued.lastFour,
    createdAt: now,
    lastUsedAt: null,
    revokedAt: null,
  }
  return { key: issued.key, listed }
}

function applicationFor({ scope, application }: KeyOrder, known: readonly AccountApplication[]) {
  if (application !== undefined) return findNamed(application, known)
  if (scope === 'read') return null
  if (scope === 'full') return known.toSorted((a, b) => a.id - b.id)[0] ?? null
  const [only, ...others] = known
  if (only && others.length === 0) return only
  throw new KeyRefused(only ? 'several' : 'none')
}

function findNamed(name: string, known: readonly AccountApplication[]): AccountApplication {
  const handle = name.replace(/^@/, '').toLowerCase()
  const found = known.find(
    (application) => application.projectId === name || application.handle.toLowerCase() === handle,
  )
  if (found) return found
  throw new KeyRefused('unknown')
}

/** Revokes a key of the account, everywhere within `EFFECT_SECONDS`; a revoked one stays as it is. Throws `not-found` for keys of other accounts. */
export async function revokeKeyOf(
  db: Database,
  { accountId, id, now }: { readonly accountId: string; readonly id: string; readonly now: number },
): Promise<AccountKey> {
  await revokeKey(db, { accountId, id, now })
  const [revoked] = await selectKeys(db, accountId, id)
  if (revoked) return revoked
  throw new Failure('not-found', NO_OWN_KEY)
}
