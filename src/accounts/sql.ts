import { and, desc, eq, inArray, isNull, ne, sql } from 'drizzle-orm'
import type { IssuedKey, Scope } from '../access/api-keys.ts'
import type { Database } from '../storage/database.ts'
import { selectRow } from '../storage/json-rows.ts'
import {
  accounts,
  apiKeys,
  applications,
  auditEntries,
  consents,
  dashboardSessions,
  members,
  signInLinks,
  subscriptions,
} from '../storage/schema.ts'

export function insertAccount(db: Database, account: typeof accounts.$inferInsert) {
  return db.insert(accounts).values(account)
}

/** Returns nothing if there is an account, even if another one is made at the same time. */
export function insertFirstAccount(db: Database, account: typeof accounts.$inferInsert) {
  return db
    .insert(accounts)
    .select(selectRow(accounts, account, sql`not exists (select 1 from ${accounts})`))
    .returning({ id: accounts.id })
}

export function selectAnyAccount(db: Database) {
  return db.select({ id: accounts.id }).from(accounts).limit(1)
}

export function selectAccount(db: Database, id: string) {
  return db.select().from(accounts).where(eq(accounts.id, id))
}

export function selectAccounts(db: Database) {
  return db.select().from(accounts).orderBy(accounts.createdAt, accounts.id)
}

/** Deletes an account with its keys, members, consents, links and sessions; its applications must be gone already. */
export function deleteAccountRows(db: Database, id: string) {
  return [
    db.delete(auditEntries).where(eq(auditEntries.accountId, id)),
    db.delete(dashboardSessions).where(eq(dashboardSessions.accountId, id)),
    db.delete(signInLinks).where(eq(signInLinks.accountId, id)),
    db.delete(consents).where(eq(consents.accountId, id)),
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
  readonly persons: boolean
  readonly name?: string
  readonly applicationId: number | null
  readonly now: number
}

/** Returns nothing if there is no such account, or if it already has `most` keys that are not revoked. */
export function insertKey(db: Database, { issued, now, ...key }: NewKey, most: number) {
  const { hash, lastFour } = issued
  const standing = db.$count(apiKeys, and(eq(apiKeys.accountId, key.accountId), isNull(apiKeys.revokedAt)))
  const isThere = sql`exists (select 1 from ${accounts} where ${eq(accounts.id, key.accountId)})`
  const row = { hash, lastFour, createdAt: now, ...key }
  return db
    .insert(apiKeys)
    .select(selectRow(apiKeys, row, sql`${standing} < ${most} and ${isThere}`))
    .returning({ hash: apiKeys.hash })
}

/** Keeps this many of an account's revoked keys: those that were revoked last. */
export function deleteRevokedKeys(db: Database, { accountId, keep }: { accountId: string; keep: number }) {
  const { hash, revokedAt } = apiKeys
  const older = sql`select ${hash} from ${apiKeys} where ${apiKeys.accountId} = ${accountId} and ${revokedAt} is not null
    order by ${revokedAt} desc, ${hash} limit -1 offset ${keep}`
  return db.delete(apiKeys).where(sql`${hash} in (${older})`)
}

/** A key's id, made as `keyId` makes it. */
const idOfKey = sql<string>`substr(${apiKeys.hash}, 1, 16)`

/** A key of an account as its holder may see it, with the handle of the application it acts for. */
export type AccountKey = Awaited<ReturnType<typeof selectKeys>>[number]

/** The keys of an account, newest first; with an id, only that key. */
export function selectKeys(db: Database, accountId: string, id?: string) {
  return db
    .select({
      id: idOfKey.as('id'),
      name: apiKeys.name,
      scope: apiKeys.scope,
      persons: apiKeys.persons,
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

interface Revoking {
  readonly id: string
  /** Without it, a key of any account. */
  readonly accountId?: string
  readonly now: number
}

/** Returns the key's last four characters; nothing if there is no such key or it is already revoked. */
export function revokeKey(db: Database, { id, accountId, now }: Revoking) {
  const own = accountId === undefined ? undefined : eq(apiKeys.accountId, accountId)
  return db
    .update(apiKeys)
    .set({ revokedAt: now })
    .where(and(eq(idOfKey, id), own, isNull(apiKeys.revokedAt)))
    .returning({ accountId: apiKeys.accountId, lastFour: apiKeys.lastFour })
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

/** Returns nothing if that would be more than `most` members. */
export function upsertMember(db: Database, member: MemberRow, most: number) {
  const { accountId, telegramId, role, name } = member
  const others = db.$count(members, and(eq(members.accountId, accountId), ne(members.telegramId, telegramId)))
  const target = [members.accountId, members.telegramId]
  return db
    .insert(members)
    .select(selectRow(members, member, sql`${others} < ${most}`))
    .onConflictDoUpdate({ target, set: { role, name } })
    .returning({ telegramId: members.telegramId })
}

export function updateRole(db: Database, member: MemberKey, role: MemberRow['role']) {
  return db.update(members).set({ role }).where(isMember(member)).returning({ telegramId: members.telegramId })
}

/** What goes to a member's chat goes with them. Its messages are deleted with those that are old. */
export function deleteSubscriptionsOfMember(db: Database, { accountId, telegramId }: MemberKey) {
  const own = db.select({ id: applications.id }).from(applications).where(eq(applications.accountId, accountId))
  return db
    .delete(subscriptions)
    .where(and(eq(subscriptions.telegramId, telegramId), inArray(subscriptions.applicationId, own)))
}

/** Takes back a member's consent for their own chat, and for those that they connected. */
export function deleteConsentsOfMember(db: Database, { accountId, telegramId }: MemberKey) {
  return db.delete(consents).where(and(eq(consents.accountId, accountId), eq(consents.telegramId, telegramId)))
}

export function deleteMember(db: Database, member: MemberKey) {
  return db.delete(members).where(isMember(member)).returning({ telegramId: members.telegramId })
}
