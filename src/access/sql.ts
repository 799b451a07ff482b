import { and, desc, eq, gt, inArray, isNull, lt, lte, or, sql } from 'drizzle-orm'
import type { Database } from '../storage/database.ts'
import {
  accounts,
  apiKeys,
  applications,
  auditEntries,
  consents,
  dashboardSessions,
  isOfMember,
  members,
  signInLinks,
} from '../storage/schema.ts'

const applicationAccess = {
  id: applications.id,
  projectId: applications.projectId,
  name: applications.name,
  publicKey: applications.publicKey,
  sealedPrivateKey: applications.sealedPrivateKey,
  capture: applications.capture,
  objects: applications.objects,
  timeZone: applications.timeZone,
  sources: applications.sources,
  botId: applications.botId,
  initDataHours: applications.initDataHours,
  verifiedOnly: applications.verifiedOnly,
}

/** What requests need to know about their application. The schema documents each field. */
export type ApplicationAccess = Readonly<Pick<typeof applications.$inferSelect, keyof typeof applicationAccess>>

/**
 * A key that is not revoked, its account, and the application with the project id, or else the key's own. A key of a limited scope
 * that was issued for an application opens no other.
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
      keyIssuedAt: apiKeys.createdAt,
      persons: apiKeys.persons,
      application: applicationAccess,
    })
    .from(apiKeys)
    .innerJoin(accounts, eq(accounts.id, apiKeys.accountId))
    .leftJoin(applications, projectId === null ? own : named)
    .where(and(eq(apiKeys.hash, keyHash), isNull(apiKeys.revokedAt)))
}

/** The hashes of an account's keys that are not revoked, the last used first. */
export function selectKeyHashes(db: Database, accountId: string, limit: number) {
  return db
    .select({ hash: apiKeys.hash })
    .from(apiKeys)
    .where(and(eq(apiKeys.accountId, accountId), isNull(apiKeys.revokedAt)))
    .orderBy(desc(apiKeys.lastUsedAt))
    .limit(limit)
}

/** Writes only if the key was used later than the row says: an unchanged row costs nothing. */
export function updateLastUse(db: Database, { keyHash, usedAt }: { keyHash: string; usedAt: number }) {
  return db
    .update(apiKeys)
    .set({ lastUsedAt: usedAt })
    .where(and(eq(apiKeys.hash, keyHash), or(isNull(apiKeys.lastUsedAt), lt(apiKeys.lastUsedAt, usedAt))))
}

/** Any key, including revoked ones. */
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

/** Returns the link's account, or nothing if the link does not exist or has expired. */
export function deleteLink(db: Database, link: LinkInUse) {
  return db.delete(signInLinks).where(isLink(link)).returning({ accountId: signInLinks.accountId })
}

type NewSession = typeof dashboardSessions.$inferInsert

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
 * A session that has not expired, its account, the role of its member if they still are one, and the scope of its key unless revoked.
 * A member who was removed and added again must sign in again.
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

export function selectMemberships(db: Database, telegramId: number) {
  return db
    .select({
      accountId: accounts.id,
      accountName: accounts.name,
      hasConsented: sql<number>`${consents.at} is not null`.as('has_consented'),
    })
    .from(members)
    .innerJoin(accounts, eq(accounts.id, members.accountId))
    .leftJoin(consents, and(eq(consents.chatId, members.telegramId), isOfMember))
    .where(eq(members.telegramId, telegramId))
    .orderBy(accounts.name, accounts.id)
}

/** A consent that is given again is as old as its last time. */
export function insertConsent(db: Database, consent: typeof consents.$inferInsert) {
  const { chatId, accountId } = consents
  const { telegramId, at } = consent
  return db
    .insert(consents)
    .values(consent)
    .onConflictDoUpdate({ target: [chatId, accountId], set: { telegramId, at } })
}

/** Inserts nothing if there is an entry with the same `once`. */
export function insertAudit(db: Database, row: Omit<typeof auditEntries.$inferInsert, 'id'>) {
  return db.insert(auditEntries).values(row).onConflictDoNothing()
}

/** What is older, and what an account has beyond its newest. */
export function deleteAudit(db: Database, { before, most }: { readonly before: number; readonly most: number }) {
  const { id, accountId, at } = auditEntries
  const place = sql<number>`row_number() over (partition by ${accountId} order by ${id} desc)`.as('place')
  const placed = db.select({ id, place }).from(auditEntries).as('placed')
  const beyond = db.select({ id: placed.id }).from(placed).where(gt(placed.place, most))
  return db
    .delete(auditEntries)
    .where(or(lt(at, before), inArray(id, beyond)))
    .returning({ id })
}
