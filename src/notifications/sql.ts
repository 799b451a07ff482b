import {
  and,
  desc,
  eq,
  exists,
  gt,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  notInArray,
  or,
  type SQL,
  sql,
} from 'drizzle-orm'
import type { Database } from '../storage/database.ts'
import { selectRow } from '../storage/json-rows.ts'
import { accounts, applications, deliveries, members, subscriptions } from '../storage/schema.ts'

export type SubscriptionRow = typeof subscriptions.$inferSelect
export type DeliveryRow = typeof deliveries.$inferSelect

/** Selects the subscriptions of an application, oldest first; with an id, only that one. */
export function selectSubscriptions(db: Database, applicationId: number, id?: string) {
  return db
    .select()
    .from(subscriptions)
    .where(and(eq(subscriptions.applicationId, applicationId), id === undefined ? undefined : eq(subscriptions.id, id)))
    .orderBy(subscriptions.createdAt, subscriptions.id)
}

/** Returns nothing if that would be more than `most` of the application. */
export function insertSubscription(db: Database, row: typeof subscriptions.$inferInsert, most: number) {
  const others = db.$count(subscriptions, eq(subscriptions.applicationId, row.applicationId))
  return db
    .insert(subscriptions)
    .select(selectRow(subscriptions, row, sql`${others} < ${most}`))
    .returning({ id: subscriptions.id })
}

type SubscriptionChanges = Partial<
  Pick<SubscriptionRow, 'name' | 'rule' | 'nextAt' | 'snoozedUntil' | 'problem' | 'state'>
>

export function updateSubscription(db: Database, id: string, changes: SubscriptionChanges) {
  return db.update(subscriptions).set(changes).where(eq(subscriptions.id, id))
}

/** Changes a subscription and its revision, so that a check of what it was before sends no message. */
export function changeSubscriptionRow(db: Database, id: string, changes: SubscriptionChanges) {
  const { revision } = subscriptions
  return db
    .update(subscriptions)
    .set({ ...changes, revision: sql`${revision} + 1` })
    .where(eq(subscriptions.id, id))
}

/** Also deletes its messages. */
export function deleteSubscriptionRows(db: Database, id: string) {
  return [
    db.delete(deliveries).where(eq(deliveries.subscriptionId, id)),
    db.delete(subscriptions).where(eq(subscriptions.id, id)),
  ] as const
}

/** The latest messages of each of these subscriptions, newest first. */
export function selectLatestDeliveries(db: Database, ids: readonly string[], most: number) {
  const rank = sql<number>`row_number() over (partition by ${deliveries.subscriptionId} order by ${deliveries.at} desc, ${deliveries.id})`
  const ranked = db
    .select({ id: deliveries.id, rank: rank.as('rank') })
    .from(deliveries)
    .where(sql`${deliveries.subscriptionId} in (select value from json_each(${JSON.stringify(ids)}))`)
    .as('ranked')
  return db
    .select()
    .from(deliveries)
    .where(inArray(deliveries.id, db.select({ id: ranked.id }).from(ranked).where(lte(ranked.rank, most))))
    .orderBy(desc(deliveries.at))
}

/** A chat with somebody who is no member any more gets nothing. */
function isAllowed(db: Database): SQL | undefined {
  const member = db
    .select({ one: sql`1` })
    .from(members)
    .where(and(eq(members.accountId, applications.accountId), eq(members.telegramId, subscriptions.telegramId)))
  return or(isNull(subscriptions.telegramId), exists(member))
}

/** The subscriptions that are due, and those of them whose member is gone left out. */
export function selectDue(db: Database, now: number, limit: number) {
  const { id, rule, revision, nextAt } = subscriptions
  return db
    .select({ id, rule, revision, nextAt })
    .from(subscriptions)
    .innerJoin(applications, eq(applications.id, subscriptions.applicationId))
    .where(and(lte(nextAt, now), isAllowed(db)))
    .orderBy(nextAt)
    .limit(limit)
}

interface Step extends Pick<SubscriptionRow, 'id' | 'revision'> {
  readonly changes: SubscriptionChanges
}

/** Changes a subscription unless another message of it was made meanwhile. */
export function advance(db: Database, { id, revision, changes }: Step) {
  return db
    .update(subscriptions)
    .set({ ...changes, revision: revision + 1 })
    .where(and(eq(subscriptions.id, id), eq(subscriptions.revision, revision)))
}

/** Changes what is known of an alert, without a message, unless a message of it was made meanwhile. */
export function updateState(db: Database, { id, revision, changes }: Step) {
  return db
    .update(subscriptions)
    .set(changes)
    .where(and(eq(subscriptions.id, id), eq(subscriptions.revision, revision)))
}

/** Postpones a check without a message. */
export function postpone(db: Database, { id, nextAt }: Pick<SubscriptionRow, 'id'> & { readonly nextAt: number }) {
  return db
    .update(subscriptions)
    .set({ nextAt })
    .where(and(eq(subscriptions.id, id), isNotNull(subscriptions.nextAt)))
}

type NewDelivery = Pick<DeliveryRow, 'subscriptionId' | 'kind' | 'at' | 'content'>

/** The message that follows a revision: made once, whoever asks for it and how often. In a batch before `advance`. */
export function insertDelivery(db: Database, { revision, ...message }: NewDelivery & { readonly revision: number }) {
  const row = {
    ...message,
    id: deliveryId(message.subscriptionId, revision),
    status: 'waiting' as const,
    tryAt: message.at,
  }
  const isCurrent = sql`exists (select 1 from ${subscriptions}
    where ${subscriptions.id} = ${message.subscriptionId} and ${subscriptions.revision} = ${revision})`
  return db
    .insert(deliveries)
    .select(selectRow(deliveries, row, isCurrent))
    .onConflictDoNothing()
}

export function deliveryId(subscriptionId: string, revision: number): string {
  return `${subscriptionId}.${revision}`
}

/** Messages that wait to be sent, or whose sending was interrupted. */
export function selectWaiting(db: Database, now: number, limit: number) {
  return db
    .select({ id: deliveries.id })
    .from(deliveries)
    .where(lte(deliveries.tryAt, now))
    .orderBy(deliveries.tryAt)
    .limit(limit)
}

const owner = { accountId: accounts.id, plan: accounts.plan, handle: applications.handle }

/** A subscription that is on, with the account that it belongs to. */
export function selectSubscription(db: Database, id: string) {
  return db
    .select({ subscription: subscriptions, owner })
    .from(subscriptions)
    .innerJoin(applications, eq(applications.id, subscriptions.applicationId))
    .innerJoin(accounts, eq(accounts.id, applications.accountId))
    .where(and(eq(subscriptions.id, id), isNotNull(subscriptions.nextAt), isAllowed(db)))
}

/** A message that is to be sent now, after all earlier ones of its subscription, and whether its receiver may still get it. */
export function selectDelivery(db: Database, id: string, now: number) {
  const isNext = sql`not exists (select 1 from ${deliveries} as earlier
    where earlier.subscription_id = ${deliveries.subscriptionId} and earlier.try_at is not null and earlier.at < ${deliveries.at})`
  const mayGet = sql<number>`${and(isNotNull(subscriptions.nextAt), isAllowed(db))}`.as('may_get')
  return db
    .select({ delivery: deliveries, subscription: subscriptions, owner, mayGet })
    .from(deliveries)
    .innerJoin(subscriptions, eq(subscriptions.id, deliveries.subscriptionId))
    .innerJoin(applications, eq(applications.id, subscriptions.applicationId))
    .innerJoin(accounts, eq(accounts.id, applications.accountId))
    .where(and(eq(deliveries.id, id), lte(deliveries.tryAt, now), isNext))
}

export type DueDelivery = Awaited<ReturnType<typeof selectDelivery>>[number]

/** Stores what a message says, once. */
export function storeContent(db: Database, id: string, content: DeliveryRow['content']) {
  return db
    .update(deliveries)
    .set({ content })
    .where(and(eq(deliveries.id, id), isNull(deliveries.content)))
}

interface Claim extends Pick<DeliveryRow, 'id' | 'attempts'> {
  readonly until: number
}

/** Takes a message for sending until then; returns nothing if another delivery has taken it. */
export function claim(db: Database, { id, attempts, until }: Claim) {
  return db
    .update(deliveries)
    .set({ status: 'sending', attempts: attempts + 1, tryAt: until })
    .where(and(eq(deliveries.id, id), eq(deliveries.attempts, attempts), isNotNull(deliveries.tryAt)))
    .returning({ content: deliveries.content })
}

export type DeliveryOutcome = Pick<DeliveryRow, 'status' | 'tryAt' | 'httpStatus' | 'answer' | 'doneAt'>

export function updateDelivery(db: Database, id: string, outcome: Partial<DeliveryOutcome>) {
  return db.update(deliveries).set(outcome).where(eq(deliveries.id, id))
}

/** Messages that were done before, and those whose subscription is gone. */
export function deleteOldDeliveries(db: Database, before: number) {
  const ids = db.select({ id: subscriptions.id }).from(subscriptions)
  const isOld = and(isNull(deliveries.tryAt), lt(deliveries.doneAt, before))
  return db
    .delete(deliveries)
    .where(or(isOld, notInArray(deliveries.subscriptionId, ids)))
    .returning({ id: deliveries.id })
}

/** The secrets of webhooks without this prefix, of subscriptions after this id. */
export function selectSealedOtherwise(
  db: Database,
  { prefix, after, limit }: { prefix: string; after: string; limit: number },
) {
  const { id, sealedSecret } = subscriptions
  const isOther = sql`${sealedSecret} is not null and substr(${sealedSecret}, 1, ${prefix.length}) <> ${prefix}`
  return db
    .select({ id, sealed: sql<string>`${sealedSecret}`.as('sealed') })
    .from(subscriptions)
    .where(and(isOther, gt(id, after)))
    .orderBy(id)
    .limit(limit)
}

export function replaceSealed(
  db: Database,
  { id, sealed, resealed }: { readonly id: string; readonly sealed: string; readonly resealed: string },
) {
  return db
    .update(subscriptions)
    .set({ sealedSecret: resealed })
    .where(and(eq(subscriptions.id, id), eq(subscriptions.sealedSecret, sealed)))
    .returning({ id: subscriptions.id })
}
