import { and, asc, desc, eq, isNotNull, isNull, lt, lte, not, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { Database } from '../../storage/database.ts'
import { each } from '../../storage/json-rows.ts'
import { applications, deadLetters, EVERYBODY, erasures } from '../../storage/schema.ts'

/** The application of a dead letter; null if it is no message. */
const applicationOf = sql`iif(json_valid(${deadLetters.body}), ${deadLetters.body} ->> '$.applicationId', null)`
const isGone = sql`(${applicationOf} is not null and ${applicationOf} not in (select ${applications.id} from ${applications}))`

export interface DeadLetter {
  readonly id: number
  /** The message's text. */
  readonly body: string
  /** When it became a dead letter: milliseconds since 1970 UTC. */
  readonly putAsideAt: number
  /** When an operator marked it to be sent again; null until then. */
  readonly resendAt: number | null
}

export type NewDeadLetter = Omit<DeadLetter, 'resendAt'>

/** An existing row stays as it is. */
export function insertDeadLetter(db: Database, deadLetter: NewDeadLetter) {
  return db.insert(deadLetters).values(deadLetter).onConflictDoNothing()
}

const COLUMNS = {
  id: deadLetters.id,
  body: deadLetters.body,
  putAsideAt: sql<number>`${deadLetters.putAsideAt}`.as('putAsideAt'),
  resendAt: sql<number | null>`${deadLetters.resendAt}`.as('resendAt'),
}

/** The newest first. */
export function selectDeadLetters(db: Database, limit: number) {
  const { putAsideAt, id } = deadLetters
  return db.select(COLUMNS).from(deadLetters).orderBy(desc(putAsideAt), desc(id)).limit(limit)
}

/** How many there are, and how many of them are not marked to be sent again. */
export function countDeadLetters(db: Database) {
  const waiting = sql<number>`count(*) filter (where ${deadLetters.resendAt} is null)`
  return db.select({ letters: sql<number>`count(*)`.as('letters'), waiting: waiting.as('waiting') }).from(deadLetters)
}

/** Takes any number of ids, though a statement takes 100 parameters. */
function isAmong(column: SQLiteColumn, ids: readonly number[]): SQL {
  return sql`${column} in (select value from ${each(ids)})`
}

/** Selects which of these ids exist; null stands for all. */
export function selectIds(db: Database, ids: readonly number[] | null) {
  const { id } = deadLetters
  return db
    .select({ id })
    .from(deadLetters)
    .where(ids ? isAmong(id, ids) : undefined)
}

/** The handles of the applications with these ids. */
export function selectHandles(db: Database, ids: readonly number[]) {
  const { id, handle } = applications
  return db.select({ id, handle }).from(applications).where(isAmong(id, ids))
}

/** Selects dead letters that are marked to be sent again, except those of deleted applications, which would only come back as new ones. */
export function selectToResend(db: Database, limit: number) {
  const { id, body, putAsideAt, resendAt } = deadLetters
  return db
    .select({ id, body, putAsideAt })
    .from(deadLetters)
    .where(and(isNotNull(resendAt), not(isGone)))
    .orderBy(asc(id))
    .limit(limit)
}

interface Resending {
  /** Null stands for all. */
  readonly ids: readonly number[] | null
  readonly now: number
  /** The application that gets the events, if it is another one. */
  readonly applicationId?: number | undefined
}

/** Marks dead letters to be sent again. */
export function markToResend(db: Database, { ids, now, applicationId }: Resending) {
  const { id, resendAt, body } = deadLetters
  const moved = applicationId !== undefined && { body: sql`json_set(${body}, '$.applicationId', ${applicationId})` }
  return db
    .update(deadLetters)
    .set({ resendAt: now, ...moved })
    .where(ids ? isAmong(id, ids) : isNull(resendAt))
}

/** Deletes dead letters of applications that are gone, if they were set aside before this time. */
export function deleteOfGone(db: Database, before: number) {
  const { id, putAsideAt } = deadLetters
  return db
    .delete(deadLetters)
    .where(and(isGone, lt(putAsideAt, before)))
    .returning({ id })
}

/** Deletes dead letters of a deleted application, except those that may have been collected after the deletion. */
export function deleteOfDeleted(db: Database, applicationId: number) {
  const { applicationId: of, userHash, erasedAt } = erasures
  const deletedAt = sql`(select ${erasedAt} from ${erasures} where ${of} = ${applicationId} and ${userHash} = ${EVERYBODY})`
  return db
    .delete(deadLetters)
    .where(and(eq(applicationOf, applicationId), isGone, lte(deadLetters.putAsideAt, deletedAt)))
}

/** Finds which of these dead letters are of an application that is gone. */
export function selectOfGone(db: Database, ids: readonly number[]) {
  const { id } = deadLetters
  return db
    .select({ id })
    .from(deadLetters)
    .where(and(isAmong(id, ids), isGone))
}

export function deleteDeadLetters(db: Database, ids: readonly number[]) {
  return db.delete(deadLetters).where(isAmong(deadLetters.id, ids))
}
