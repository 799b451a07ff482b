import { and, eq, ne, type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { insertDeletion } from '../../collection/erased-users/erased-users.ts'
import type { Database } from '../../storage/database.ts'
import {
  annotations,
  apiKeys,
  applications,
  boards,
  changes,
  cohorts,
  contexts,
  dailyFigures,
  dashboardSessions,
  deliveries,
  erasures,
  eventIds,
  eventNames,
  events,
  layouts,
  savedQuestions,
  sessions,
  shares,
  subscriptions,
  users,
} from '../../storage/schema.ts'
import type { RowPage } from '../jobs/statements.ts'

/**
 * Deletes the control data of an application, except its daily figures, and notes when. Keys that open the whole account stay: those that acted for it
 * now act for the account's oldest other application.
 */
export function deleteFromDirectory(
  db: Database,
  {
    applicationId,
    accountId,
    now,
  }: { readonly applicationId: number; readonly accountId: string; readonly now: number },
) {
  const ofIt = eq(apiKeys.applicationId, applicationId)
  const ended = and(ofIt, ne(apiKeys.scope, 'full'))
  const others = sql`(select min(a.id) from ${applications} as a where a.account_id = ${accountId} and a.id <> ${applicationId})`
  const endedHashes = db.select({ hash: apiKeys.hash }).from(apiKeys).where(ended)
  const ownSubscriptions = db
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(eq(subscriptions.applicationId, applicationId))
  return [
    db.delete(dashboardSessions).where(sql`${dashboardSessions.keyHash} in ${endedHashes}`),
    db.delete(apiKeys).where(ended),
    db.update(apiKeys).set({ applicationId: others }).where(ofIt),
    db.delete(shares).where(eq(shares.applicationId, applicationId)),
    db.delete(boards).where(eq(boards.applicationId, applicationId)),
    db.delete(savedQuestions).where(eq(savedQuestions.applicationId, applicationId)),
    db.delete(annotations).where(eq(annotations.applicationId, applicationId)),
    db.delete(cohorts).where(eq(cohorts.applicationId, applicationId)),
    db.delete(deliveries).where(sql`${deliveries.subscriptionId} in ${ownSubscriptions}`),
    db.delete(subscriptions).where(eq(subscriptions.applicationId, applicationId)),
    db.delete(erasures).where(eq(erasures.applicationId, applicationId)),
    insertDeletion(db, applicationId, now),
    db.delete(applications).where(eq(applications.id, applicationId)),
  ] as const
}

/** Whether the control data lacks an application; its id is never given again. Other databases have no control data. */
function isGone(applicationId: number): SQL {
  return sql`not exists (select 1 from ${applications} where ${eq(applications.id, applicationId)})`
}

/** Activity tables in the order of their deletion: names and contexts after the events that point at them. */
export const ACTIVITY_TABLES: readonly SQLiteTable[] = [
  changes,
  events,
  eventIds,
  sessions,
  users,
  contexts,
  eventNames,
  layouts,
]

/** The control table that is deleted in pages. */
export const FIGURES: SQLiteTable = dailyFigures

export function leftOver(table: SQLiteTable, applicationId: number, limit: number): RowPage {
  return { table, applicationId, onlyIf: isGone(applicationId), limit }
}
