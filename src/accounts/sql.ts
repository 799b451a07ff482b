import { and, desc, eq, gt, isNull, lt, lte, or, sql } from 'drizzle-orm'
import type { Database } from '../storage/database.ts'
import { accounts, apiKeys, applications, dashboardSessions, members, signInLinks } from '../storage/schema.ts'
import type { IssuedKey, Scope } from './api-keys.ts'

const applicationAccess = {
  id: applications.id,
  projectId: applications.projectId,
  name: applications.name,
  publicKey: applications.publicKey,
  sealedPrivateKey: applications.sealedPrivateKey,
  capture: applications.capture,
  objects: applications.objects,
  botId: applications.botId,
  initDataHours: applications.initDataHours,
  verifiedOnly: applications.verifiedOnly,
}

/** The part of an application that the client operations need. */
export interface ApplicationAccess {
  readonly id: number
  readonly projectId: string
  readonly name: string
  readonly publicKey: string
  readonly sealedPrivateKey: string
  readonly capture: typeof applications.$inferSelect.capture
  /** Over how many objects its users are spread. */
  readonly objects: number
  /** The bot that the messenger signs init data for; null: init data is not checked. */
  readonly botId: number | null
  /** How old init data may be where it is checked. */
  readonly initDataHours: number
  /** Whether client keys may only bring events with init data that was checked. */
  readonly verifiedOnly: boolean
}

/**
 * A key that is not revoked, its account, and the application named by the project id, else the key's own. A key that does
 * not open everything opens no other application than the one that it was issued for, if it was.
 */
export function selectAccess(db: Database, { keyHash, projectId }: { keyHash: string; projectId: string | null }) {
  const own = eq(applications.id, apiKeys.applicationId)
  const named = and(
    eq(applications.projectId, projectId ?? ''),
    eq(applications.accountId, apiKeys.accountId),
    or(eq(apiKeys.scope, 'full'), isNull(apiKeys.applicationId), own),
  )
  return db
    .select({
      accountId: accounts.id,
      plan: accounts.plan,
      scope: apiKeys.scope,
      issuedFor: apiKeys.applicationId,
      application: applicationAccess,
    })
    .from(apiKeys)
    .innerJoin(accounts, eq(accounts.id, apiKeys.accountId))
    .leftJoin(applications, projectId === null ? own : named)
    .where(and(eq(apiKeys.hash, keyHash), isNull(apiKeys.revokedAt)))
}

export function insertAccount(db: Database, account: typeof accounts.$inferInsert) {
  return db.insert(accounts).values(account)
}

export function selectAccount(db: Database, id: string) {
  return db.select().from(accounts).where(eq(accounts.id, id))
}

export function selectAccounts(db: Database) {
  return db.select().from(accounts).orderBy(accounts.createdAt, accounts.id)
}

/** An account with its keys, members, links and sessions; its applications are gone by then. */
export function deleteAccountRows(db: Database, id: string) {
  return [
    db.delete(dashboardSessions).where(eq(dashboardSessions.accountId, id)),
    db.delete(signInLinks).where(eq(signInLinks.accountId, id)),
    db.delete(members).where(eq(members.accountId, id)),
    db.delete(apiKeys).where(eq(apiKeys.accountId, id)),
    db.delete(accounts).where(eq(accounts.id, id)),
  ] as const
}

export function updatePlan(db: Database, id: string, plan: typeof accounts.$inferInsert.plan) {
  return db.update(accounts).set({ plan }).where(eq(accounts.id, id))
}

export interface NewKey {
  readonly issued: IssuedKey
  readonly accountId: string
  readonly scope: Scope
  readonly name?: string
  readonly applicationId: number | null
  readonly now: number
}

export function insertKey(db: Database, { issued, now, ...key }: NewKey) {
  const { hash, lastFour } = issued
  return db.insert(apiKeys).values({ hash, lastFour, createdAt: now, ...key })
}

/** As `keyId` makes it. */
const idOfKey = sql<string>`substr(${apiKeys.hash}, 1, 16)`

/** A key of an account as its holder may see it, with the application it acts for. Times in milliseconds since 1970. */
export interface AccountKey {
  readonly id: string
  readonly name: string
  readonly scope: Scope
  readonly handle: string | null
  readonly lastFour: string
  readonly createdAt: number
  /** The hour in which it last opened something; null where it never did, as far as anybody noted. */
  readonly lastUsedAt: number | null
  readonly revokedAt: number | null
}

/** The keys of an account, newest first; with an id that key alone. */
export function selectKeys(db: Database, accountId: string, id?: string): PromiseLike<AccountKey[]> {
  return db
    .select({
      id: idOfKey.as('id'),
      name: apiKeys.name,
      scope: apiKeys.scope,
      handle: applications.handle,
      lastFour: apiKeys.lastFour,
      createdAt: apiKeys.createdAt,
      lastUsedAt: apiKeys.lastUsedAt,
      revokedAt: apiKeys.revokedAt,
    })
    .from(apiKeys)
    .leftJoin(applications, eq(applications.id, apiKeys.applicationId))
    .where(and(eq(apiKeys.accountId, accountId), id === undefined ? undefined : eq(idOfKey, id)))
    .orderBy(desc(apiKeys.createdAt), apiKeys.hash)
}

/** Of the account that is named, else of any. */
interface Revoking {
  readonly id: string
  readonly accountId?: string
  readonly now: number
}

/** Returns the key's last four characters, or nothing where there is no such key or it was revoked already. */
export function revokeKey(db: Database, { id, accountId, now }: Revoking) {
  const own = accountId === undefined ? undefined : eq(apiKeys.accountId, accountId)
  return db
    .update(apiKeys)
    .set({ revokedAt: now })
    .where(and(eq(idOfKey, id), own, isNull(apiKeys.revokedAt)))
    .returning({ lastFour: apiKeys.lastFour })
}

/** Writes only where it was used later than it says: a row that stays as it is costs nothing. */
export function updateLastUse(db: Database, { keyHash, usedAt }: { keyHash: string; usedAt: number }) {
  return db
    .update(apiKeys)
    .set({ lastUsedAt: usedAt })
    .where(and(eq(apiKeys.hash, keyHash), or(isNull(apiKeys.lastUsedAt), lt(apiKeys.lastUsedAt, usedAt))))
}

/** A key of any kind, also one that is revoked. */
export function selectKey(db: Database, hash: string) {
  const { accountId, scope, revokedAt } = apiKeys
  return db.select({ hash: apiKeys.hash, accountId, scope, revokedAt }).from(apiKeys).where(eq(apiKeys.hash, hash))
}

export function insertLink(db: Database, link: typeof signInLinks.$inferInsert) {
  return db.insert(signInLinks).values(link)
}

interface LinkInUse {
  readonly hash: string
  readonly now: number
}

function isLink({ hash, now }: LinkInUse) {
  return and(eq(signInLinks.hash, hash), gt(signInLinks.expiresAt, now))
}

/** Returns the link's account, or nothing where there is no such link, or none any more. */
export function deleteLink(db: Database, link: LinkInUse) {
  return db.delete(signInLinks).where(isLink(link)).returning({ accountId: signInLinks.accountId })
}

type NewSession = typeof dashboardSessions.$inferInsert

/** A session of the link's account, if there is such a link. */
export function insertSessionOfLink(db: Database, link: LinkInUse, session: Omit<NewSession, 'accountId'>) {
  const row = db
    .select({
      hash: sql<string>`${session.hash}`.as('session'),
      accountId: signInLinks.accountId,
      telegramId: sql<null>`null`.as('telegram_id'),
      keyHash: sql<null>`null`.as('key_hash'),
      createdAt: sql<number>`${session.createdAt}`.as('created_at'),
      expiresAt: sql<number>`${session.expiresAt}`.as('session_expires_at'),
    })
    .from(signInLinks)
    .where(isLink(link))
  return db.insert(dashboardSessions).select(row)
}

export function insertSession(db: Database, session: NewSession) {
  return db.insert(dashboardSessions).values(session)
}

export type SessionRow = Awaited<ReturnType<typeof selectSession>>[number]

/**
 * A session that has not expired, its account, the role of its member and the scope of its key, where it has one that still
 * stands. Somebody who was removed and added again signs in again.
 */
export function selectSession(db: Database, { hash, now }: { hash: string; now: number }) {
  const { accountId, telegramId, keyHash, createdAt, expiresAt } = dashboardSessions
  const ofMember = and(
    eq(members.accountId, accountId),
    eq(members.telegramId, telegramId),
    lte(members.createdAt, createdAt),
  )
  return db
    .select({
      accountId,
      accountName: accounts.name,
      plan: accounts.plan,
      telegramId,
      keyHash,
      role: members.role,
      scope: apiKeys.scope,
      applicationId: apiKeys.applicationId,
    })
    .from(dashboardSessions)
    .innerJoin(accounts, eq(accounts.id, accountId))
    .leftJoin(members, ofMember)
    .leftJoin(apiKeys, and(eq(apiKeys.hash, keyHash), isNull(apiKeys.revokedAt)))
    .where(and(eq(dashboardSessions.hash, hash), gt(expiresAt, now)))
}

export function deleteSession(db: Database, hash: string) {
  return db.delete(dashboardSessions).where(eq(dashboardSessions.hash, hash))
}

export function deleteExpiredSessions(db: Database, now: number) {
  const { expiresAt, accountId } = dashboardSessions
  return db.delete(dashboardSessions).where(lte(expiresAt, now)).returning({ accountId })
}

export function deleteExpiredLinks(db: Database, now: number) {
  const { expiresAt, accountId } = signInLinks
  return db.delete(signInLinks).where(lte(expiresAt, now)).returning({ accountId })
}

type MemberRow = typeof members.$inferInsert
type MemberKey = Pick<MemberRow, 'accountId' | 'telegramId'>

function isMember({ accountId, telegramId }: MemberKey) {
  return and(eq(members.accountId, accountId), eq(members.telegramId, telegramId))
}

export function selectMembers(db: Database, accountId: string) {
  const { telegramId, role, name, createdAt } = members
  return db
    .select({ telegramId, role, name, createdAt })
    .from(members)
    .where(eq(members.accountId, accountId))
    .orderBy(createdAt, telegramId)
}

/** The accounts that a person is a member of, by name. */
export function selectMemberships(db: Database, telegramId: number) {
  return db
    .select({ accountId: accounts.id, accountName: accounts.name })
    .from(members)
    .innerJoin(accounts, eq(accounts.id, members.accountId))
    .where(eq(members.telegramId, telegramId))
    .orderBy(accounts.name, accounts.id)
}

export function upsertMember(db: Database, member: MemberRow) {
  const { role, name } = member
  const target = [members.accountId, members.telegramId]
  return db.insert(members).values(member).onConflictDoUpdate({ target, set: { role, name } })
}

export function updateRole(db: Database, member: MemberKey, role: MemberRow['role']) {
  return db.update(members).set({ role }).where(isMember(member)).returning({ telegramId: members.telegramId })
}

export function deleteMember(db: Database, member: MemberKey) {
  return db.delete(members).where(isMember(member)).returning({ telegramId: members.telegramId })
}
