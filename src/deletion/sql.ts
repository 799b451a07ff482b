import { and, eq, ne, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { BatchDatabase, Database } from '../storage/database.ts'
import {
  apiKeys,
  applications,
  changes,
  contexts,
  dailyFigures,
  dashboardSessions,
  deadLetters,
  erasures,
  eventIds,
  eventNames,
  events,
  keyOf,
  layouts,
  savedQuestions,
  sessions,
  users,
} from '../storage/schema.ts'

interface Doomed {
  readonly applicationId: number
  readonly accountId: string
}

/**
 * Everything of an application that the directory knows but its figures. Keys that open the whole account stay: those that acted for
 * it act for the account's oldest other one from now on.
 */
export function deleteFromDirectory(db: Database, { applicationId, accountId }: Doomed) {
  const ofIt = eq(apiKeys.applicationId, applicationId)
  const ended = and(ofIt, ne(apiKeys.scope, 'full'))
  const others = sql`(select min(a.id) from ${applications} as a where a.account_id = ${accountId} and a.id <> ${applicationId})`
  const endedHashes = db.select({ hash: apiKeys.hash }).from(apiKeys).where(ended)
  return [
    db.delete(dashboardSessions).where(sql`${dashboardSessions.keyHash} in ${endedHashes}`),
    db.delete(apiKeys).where(ended),
    db.update(apiKeys).set({ applicationId: others }).where(ofIt),
    db.delete(savedQuestions).where(eq(savedQuestions.applicationId, applicationId)),
    db.delete(erasures).where(eq(erasures.applicationId, applicationId)),
    db.delete(applications).where(eq(applications.id, applicationId)),
  ] as const
}

/**
 * Deletes so many rows of an application from one table at most; returns how many there were. Names and contexts come after the
 * events that point at them.
 */
type DeleteSome = (db: BatchDatabase, applicationId: number, limit: number) => Promise<number>

function byKey(table: SQLiteTable): DeleteSome {
  const names = keyOf(table).map(({ name }) => name)
  const key = sql.raw(names.join(', '))
  return async (db, applicationId, limit) => {
    const some = sql`select ${key} from ${table} where application_id = ${applicationId} limit ${limit}`
    const { meta } = await db.delete(table).where(sql`application_id = ${applicationId} and (${key}) in (${some})`)
    return meta.changes
  }
}

function byId(table: typeof eventNames | typeof contexts): DeleteSome {
  return async (db, applicationId, limit) => {
    const some = sql`select id from ${table} where application_id = ${applicationId} limit ${limit}`
    const { meta } = await db.delete(table).where(sql`id in (${some})`)
    return meta.changes
  }
}

/** Of an activity database, in this order. */
export const ACTIVITY_TABLES: readonly DeleteSome[] = [
  byKey(changes),
  byKey(events),
  byKey(eventIds),
  byKey(sessions),
  byKey(users),
  byId(contexts),
  byId(eventNames),
  byKey(layouts),
]

/** What was put aside of an application. */
export function deleteLetters(db: Database, applicationId: number) {
  const { body } = deadLetters
  return db
    .delete(deadLetters)
    .where(sql`iif(json_valid(${body}), ${body} ->> '$.applicationId', null) = ${applicationId}`)
}

/** Of the directory. */
export const deleteFigures: DeleteSome = byKey(dailyFigures)
