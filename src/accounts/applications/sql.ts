import { and, eq, getTableColumns, gt, isNotNull, isNull, ne, or, sql } from 'drizzle-orm'
import type { CaptureChanges } from '../../storage/capture-settings.ts'
import type { Database } from '../../storage/database.ts'
import { selectRow } from '../../storage/json-rows.ts'
import { apiKeys, applications, boards, layouts, savedQuestions, shares, subscriptions } from '../../storage/schema.ts'

type NewApplication = typeof applications.$inferInsert
type Application = typeof applications.$inferSelect
/** What an application's owner says about it. */
export type ApplicationDetails = Pick<Application, 'name' | 'link' | 'description' | 'photoUrl'>
/** Details, and the settings for verification and retention. */
export type ApplicationFields = ApplicationDetails &
  Pick<Application, 'botId' | 'initDataHours' | 'verifiedOnly' | 'keepMonths'>

/** The time zone of the partitioning that is being filled; null while there is none, or it is in the same zone. */
const timeZoneNext = sql<string | null>`(
  select l.time_zone from ${layouts} as l where l.application_id = ${applications}.id and l.retired_at is null
    and l.objects <> ${applications}.objects and l.time_zone <> ${applications}.time_zone limit 1
)`.as('timeZoneNext')

function hasHandle(handle: string) {
  return eq(sql`lower(${applications.handle})`, handle.toLowerCase())
}

/** Returns nothing if the handle is taken or the account already has `most` applications. */
export function insertApplication(db: Database, application: NewApplication, most: number) {
  const own = db.$count(applications, eq(applications.accountId, application.accountId))
  return db
    .insert(applications)
    .select(selectRow(applications, application, sql`${own} < ${most}`))
    .onConflictDoNothing()
    .returning({ id: applications.id })
}

export function updateDetails(db: Database, handle: string, details: ApplicationDetails) {
  return db.update(applications).set(details).where(hasHandle(handle))
}

/**
 * Needs at least one change. Returns nothing if the application would then require verified events without a bot, even if another
 * request changes the other one of the two at the same time.
 */
export function updateDetailsOf(db: Database, id: number, changes: Partial<ApplicationFields>) {
  const hasBot = changes.botId === undefined ? isNotNull(applications.botId) : sql`${changes.botId !== null}`
  const isOpen =
    changes.verifiedOnly === undefined ? eq(applications.verifiedOnly, false) : sql`${!changes.verifiedOnly}`
  return db
    .update(applications)
    .set(changes)
    .where(and(eq(applications.id, id), or(hasBot, isOpen)))
    .returning({ id: applications.id })
}

/** Lets a key that acts for no application yet act for this one, if both belong to one account. */
export function bindKey(db: Database, { keyHash, handle }: { keyHash: string; handle: string }) {
  const own = eq(applications.accountId, apiKeys.accountId)
  const application = db
    .select({ id: applications.id })
    .from(applications)
    .where(and(hasHandle(handle), own))
  return db
    .update(apiKeys)
    .set({ applicationId: sql`${application}` })
    .where(and(eq(apiKeys.hash, keyHash), isNull(apiKeys.applicationId)))
}

export function selectByHandle(db: Database, handle: string) {
  const { id, accountId, projectId, name, link, photoUrl, objects, timeZone, databases } = applications
  return db
    .select({
      id,
      accountId,
      projectId,
      handle: applications.handle,
      name,
      link,
      photoUrl,
      objects,
      timeZone,
      databases,
    })
    .from(applications)
    .where(hasHandle(handle))
}

export function selectNamed(db: Database, name: string) {
  const { id, accountId, handle, objects, timeZone, databases, projectId } = applications
  return db
    .select({ id, accountId, handle, objects, timeZone, databases })
    .from(applications)
    .where(or(hasHandle(name), eq(projectId, name)))
}

export function selectApplications(db: Database, accountId: string) {
  const { id, handle, projectId, name, link, description, photoUrl, createdAt } = applications
  const { botId, initDataHours, verifiedOnly, keepMonths, keptFrom } = applications
  const zones = { timeZone: applications.timeZone, timeZoneNext }
  const settings = { botId, initDataHours, verifiedOnly, keepMonths, keptFrom, ...zones }
  return db
    .select({ id, handle, projectId, name, link, description, photoUrl, createdAt, ...settings })
    .from(applications)
    .where(eq(applications.accountId, accountId))
    .orderBy(sql`lower(${applications.handle})`)
}

export function selectPlacement(db: Database, id: number) {
  const { databases, keptFrom, timeZone } = applications
  return db.select({ databases, keptFrom, timeZone }).from(applications).where(eq(applications.id, id))
}

/** The applications of an account by their ids, oldest first. */
export function selectIds(db: Database, accountId: string) {
  const { id, handle } = applications
  return db
    .select({ id, accountId: applications.accountId, handle })
    .from(applications)
    .where(eq(applications.accountId, accountId))
    .orderBy(id)
}

export function selectKeyPair(db: Database, id: number) {
  const { publicKey, sealedPrivateKey } = applications
  return db.select({ publicKey, sealedPrivateKey }).from(applications).where(eq(applications.id, id))
}

/** Changes nothing if the application has a key pair, even if another one was made at the same time. */
export function insertKeyPair(
  db: Database,
  { id, ...pair }: Pick<Application, 'id' | 'publicKey' | 'sealedPrivateKey'>,
) {
  return db
    .update(applications)
    .set(pair)
    .where(and(eq(applications.id, id), eq(applications.publicKey, '')))
}

export function selectAnyApplication(db: Database) {
  return db.select({ id: applications.id }).from(applications).limit(1)
}

/** A column that holds secrets under seal; without one, it is empty or null. */
type SealedColumn = typeof applications.sealedPrivateKey | typeof applications.sealedErasureKey

/** A sealed secret and the id of its application. */
export interface SealedKey {
  readonly id: number
  readonly sealed: string
}

/** The secrets of a column without this prefix, of applications after this id. */
export function selectSealedOtherwise(column: SealedColumn) {
  return (db: Database, { prefix, after, limit }: { prefix: string; after: number; limit: number }) =>
    db
      .select({ id: applications.id, sealed: sql<string>`${column}` })
      .from(applications)
      .where(and(ne(column, ''), ne(sql`substr(${column}, 1, ${prefix.length})`, prefix), gt(applications.id, after)))
      .orderBy(applications.id)
      .limit(limit)
}

export function replaceSealedKey(column: SealedColumn) {
  return (db: Database, { id, sealed, resealed }: SealedKey & { readonly resealed: string }) =>
    db
      .update(applications)
      .set(column === applications.sealedErasureKey ? { sealedErasureKey: resealed } : { sealedPrivateKey: resealed })
      .where(and(eq(applications.id, id), eq(column, sealed)))
}

/** All columns of an account's application, by its handle, and the time zone that is being prepared. */
export function selectOwn(db: Database, { accountId, handle }: { accountId: string; handle: string }) {
  return db
    .select({ ...getTableColumns(applications), timeZoneNext })
    .from(applications)
    .where(and(hasHandle(handle), eq(applications.accountId, accountId)))
}

export function selectSaved(db: Database, applicationId: number) {
  const { name, address, pinned } = savedQuestions
  return db
    .select({ name, address, pinned })
    .from(savedQuestions)
    .where(eq(savedQuestions.applicationId, applicationId))
}

/** Replaces a question of the same name. Returns nothing if that would be more than `most` questions. */
export function upsertSaved(db: Database, row: typeof savedQuestions.$inferInsert, most: number) {
  const { applicationId, name } = savedQuestions
  const others = db.$count(savedQuestions, and(eq(applicationId, row.applicationId), ne(name, row.name)))
  return db
    .insert(savedQuestions)
    .select(selectRow(savedQuestions, row, sql`${others} < ${most}`))
    .onConflictDoUpdate({ target: [applicationId, name], set: { address: row.address } })
    .returning({ createdAt: savedQuestions.createdAt })
}

interface SavedKey {
  readonly applicationId: number
  readonly name: string
}

/** The names of the digests and alerts that are about a saved question. */
export function selectUsersOfSaved(db: Database, { applicationId, name }: SavedKey) {
  const { rule } = subscriptions
  const isAsked = sql`(${rule} ->> '$.question' = ${name}
    or exists (select 1 from json_each(${rule}, '$.questions') where value = ${name}))`
  return db
    .select({ name: subscriptions.name })
    .from(subscriptions)
    .where(and(eq(subscriptions.applicationId, applicationId), isAsked))
    .orderBy(subscriptions.createdAt)
}

function isSaved({ applicationId, name }: SavedKey) {
  return and(eq(savedQuestions.applicationId, applicationId), eq(savedQuestions.name, name))
}

/** Pins a question behind all others. Returns nothing if that would be more than `most`, or if there is no such question. */
export function pinLast(db: Database, key: SavedKey, most: number) {
  const others = sql`${savedQuestions} where application_id = ${key.applicationId} and name <> ${key.name} and pinned is not null`
  return db
    .update(savedQuestions)
    .set({ pinned: sql`(select coalesce(max(pinned), -1) + 1 from ${others})` })
    .where(and(isSaved(key), sql`(select count(*) from ${others}) < ${most}`))
    .returning({ name: savedQuestions.name })
}

export function unpin(db: Database, key: SavedKey) {
  return db.update(savedQuestions).set({ pinned: null }).where(isSaved(key))
}

/**
 * Swaps a pinned question and the one before it, if there is one. SQLite reads a subquery once, when it first needs it: both are read
 * for the first row, before anything is written.
 */
export function pinEarlier(db: Database, { applicationId, name }: SavedKey) {
  const ofIt = sql`from ${savedQuestions} where application_id = ${applicationId}`
  const own = sql`(select pinned ${ofIt} and name = ${name})`
  const before = sql`(select max(pinned) ${ofIt} and pinned < ${own})`
  return db
    .update(savedQuestions)
    .set({ pinned: sql`${own} + ${before} - ${savedQuestions.pinned}` })
    .where(
      and(
        eq(savedQuestions.applicationId, applicationId),
        sql`${before} is not null`,
        sql`${savedQuestions.pinned} in (${own}, ${before})`,
      ),
    )
}

/** With its links, and its places on boards. */
export function deleteSaved(db: Database, { applicationId, name }: SavedKey) {
  const others = sql`(select json_group_array(value) from json_each(${boards.reports}) where value <> ${name})`
  const isOn = sql`${name} in (select value from json_each(${boards.reports}))`
  return [
    db.delete(shares).where(and(eq(shares.applicationId, applicationId), eq(shares.report, name))),
    db
      .update(boards)
      .set({ reports: others })
      .where(and(eq(boards.applicationId, applicationId), isOn)),
    db
      .delete(savedQuestions)
      .where(and(eq(savedQuestions.applicationId, applicationId), eq(savedQuestions.name, name))),
  ] as const
}

/** The numbers of an application's partitionings in one of its databases; none if it never had another one than number 1. */
export function selectObjects(db: Database, applicationId: number) {
  return db.select({ objects: layouts.objects }).from(layouts).where(eq(layouts.applicationId, applicationId))
}

export function updateSources(db: Database, { id, sources }: Pick<Application, 'id' | 'sources'>) {
  return db.update(applications).set({ sources }).where(eq(applications.id, id))
}

export function selectCapture(db: Database, id: number) {
  return db.select({ capture: applications.capture }).from(applications).where(eq(applications.id, id))
}

/** Replaces the given fields and no others, even if another request changes those at the same time. */
export function patchCapture(db: Database, id: number, changes: CaptureChanges) {
  return db
    .update(applications)
    .set({ capture: sql`json_patch(${applications.capture}, ${JSON.stringify(changes)})` })
    .where(eq(applications.id, id))
}
