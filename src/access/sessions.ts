import { randomBytes } from 'node:crypto'
import type { BatchDatabase, Database } from '../storage/database.ts'
import { isKey, keyId } from './api-keys.ts'
import { actorOf, noteAct } from './audit.ts'
import { noteUse } from './last-use.ts'
import { hashSecret } from './secrets.ts'
import {
  deleteExpiredLinks,
  deleteExpiredSessions,
  deleteLink,
  deleteSession,
  insertConsent,
  insertLink,
  insertSession,
  insertSessionOfLink,
  type SessionRow,
  selectKey,
  selectMemberships,
  selectSession,
} from './sql.ts'

export const SESSION_SECONDS = 30 * 86_400
export const LINK_SECONDS = 600

/** Who is signed in to the pages, and what they may do there. */
export interface Visitor {
  readonly accountId: string
  readonly accountName: string
  readonly plan: 'standard' | 'enterprise'
  readonly canChange: boolean
  /** The only application that they see; null: all of the account. */
  readonly applicationId: number | null
  /** The member who signed in, or the key that they pasted; both null after a sign-in link. */
  readonly telegramId: number | null
  readonly keyId: string | null
}

/** The token of a new session, for the cookie, or why the person may not sign in. */
export type SignedIn =
  | { readonly token: string; readonly refusal?: never }
  | { readonly token?: never; readonly refusal: string }

const LINK_REFUSED = 'This link was used already, or it is older than ten minutes. Request a new one.'
const KEY_UNKNOWN = 'There is no such API key. Check that you copied all of it.'
const KEY_REVOKED = 'This API key was revoked.'
const KEY_OF_CLIENT = 'This API key is for tracking clients. Use one of scope full or read.'

/** What cannot be a token is not looked up. */
function isToken(text: string): boolean {
  return /^[\w-]{43}$/.test(text)
}

/** A random secret of the pages. It is shown once; only its hash is stored. */
function issueToken() {
  const token = randomBytes(32).toString('base64url')
  return { token, hash: hashSecret(token) }
}

/** Issues the token of a link. It signs in once, as the account's owner, within ten minutes. */
export async function issueLink(db: Database, accountId: string, now: number): Promise<string> {
  const { token, hash } = issueToken()
  await insertLink(db, { hash, accountId, expiresAt: now + LINK_SECONDS * 1000 })
  return token
}

/** Uses up a link. Of two people who use it at the same time, one gets a session: both statements are one transaction. */
export async function signInWithLink(db: BatchDatabase, token: string, now: number): Promise<SignedIn> {
  if (!isToken(token)) return { refusal: LINK_REFUSED }
  const session = newSession(now)
  const link = { hash: hashSecret(token), now }
  const [, used] = await db.batch([insertSessionOfLink(db, link, session.row), deleteLink(db, link)])
  const [by] = used
  if (!by) return { refusal: LINK_REFUSED }
  await noteSignIn(db, { accountId: by.accountId, telegramId: null, keyId: null }, now)
  return { token: session.token }
}

/** With a key of scope `full` or `read`. Counts as a use of the key. */
export async function signInWithKey(db: BatchDatabase, key: string, now: number): Promise<SignedIn> {
  const [found] = isKey(key) ? await selectKey(db, hashSecret(key)) : []
  if (!found) return { refusal: KEY_UNKNOWN }
  if (found.revokedAt !== null) return { refusal: KEY_REVOKED }
  if (found.scope === 'client') return { refusal: KEY_OF_CLIENT }
  const session = newSession(now)
  const begun = insertSession(db, { ...session.row, accountId: found.accountId, keyHash: found.hash })
  await db.batch([begun, noteUse({ db, keyHash: found.hash, now })])
  await noteSignIn(db, { accountId: found.accountId, telegramId: null, keyId: keyId(found.hash) }, now)
  return { token: session.token }
}

/** The accounts that a member chooses from. */
export interface Choice {
  readonly accounts: readonly { readonly accountId: string; readonly accountName: string }[]
  readonly refusal?: never
}

/**
 * Signs in to the chosen account, or else to the only one. An account that the member never signed in to has to be chosen: anybody can add
 * them to theirs, and by signing in they agree to its messages.
 */
export async function signInAsMember(
  db: Database,
  { telegramId, accountId }: { readonly telegramId: number; readonly accountId: string | undefined },
  now: number,
): Promise<SignedIn | Choice> {
  const accounts = await selectMemberships(db, telegramId)
  if (accounts.length === 0) return { refusal: notAMember(telegramId) }
  const chosen = accounts.find((account) => account.accountId === accountId)
  const only = accounts.length === 1 ? accounts.find(({ hasConsented }) => hasConsented) : undefined
  const account = chosen ?? only
  if (!account) return { accounts }
  const session = newSession(now)
  await insertSession(db, { ...session.row, accountId: account.accountId, telegramId })
  if (chosen) await insertConsent(db, { chatId: telegramId, accountId: chosen.accountId, telegramId, at: now })
  await noteSignIn(db, { accountId: account.accountId, telegramId, keyId: null }, now)
  return { token: session.token }
}

function noteSignIn(db: Database, who: Pick<Visitor, 'accountId' | 'telegramId' | 'keyId'>, now: number) {
  return noteAct(db, { accountId: who.accountId, actor: actorOf(who), action: 'signIn' }, now)
}

function notAMember(telegramId: number): string {
  return `You are not a member of any account here. An owner can add you, by your id in the messenger: ${telegramId}.`
}

function newSession(now: number) {
  const { token, hash } = issueToken()
  return { token, row: { hash, createdAt: now, expiresAt: now + SESSION_SECONDS * 1000 } }
}

/** What a session opens, read from the database each time. Null if it ended, or if its member or key lost access. */
export async function findVisitor(db: Database, token: string, now: number): Promise<Visitor | null> {
  if (!isToken(token)) return null
  const [row] = await selectSession(db, { hash: hashSecret(token), now })
  return row ? visitorOf(row) : null
}

function visitorOf(row: SessionRow): Visitor | null {
  const { accountId, accountName, plan, telegramId, keyHash, role, scope } = row
  const account = { accountId, accountName, plan, applicationId: null, telegramId, keyId: keyHash && keyId(keyHash) }
  if (telegramId !== null) return role && { ...account, canChange: role === 'owner' }
  if (keyHash === null) return { ...account, canChange: true }
  if (!scope || scope === 'client') return null
  const canChange = scope === 'full'
  return { ...account, canChange, applicationId: canChange ? null : row.applicationId }
}

export async function endSession(db: Database, token: string): Promise<void> {
  if (isToken(token)) await deleteSession(db, hashSecret(token))
}

export async function deleteExpired(db: Database, now: number): Promise<{ sessions: number; links: number }> {
  const [sessions, links] = [await deleteExpiredSessions(db, now), await deleteExpiredLinks(db, now)]
  return { sessions: sessions.length, links: links.length }
}
