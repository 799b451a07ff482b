import { asc, desc, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { Database } from '../storage/database.ts'
import { each } from '../storage/json-rows.ts'
import { applications, deadLetters } from '../storage/schema.ts'

export interface DeadLetter {
  readonly id: number
  /** The message's text. */
  readonly body: string
  /** When it came to the dead letters: milliseconds since 1970 UTC. */
  readonly putAsideAt: number
  /** When a person asked to have it sent again; null until then. */
  readonly resendAt: number | null
}

export type NewDeadLetter = Omit<DeadLetter, 'resendAt'>

/** One that is there already stays as it is. */
export function insertDeadLetter(db: Database, letter: NewDeadLetter) {
  return db.insert(deadLetters).values(letter).onConflictDoNothing()
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

/** How many there are, and how many of them nobody asked to have sent again. */
export function countDeadLetters(db: Database) {
  const waiting = sql<number>`count(*) filter (where ${deadLetters.resendAt} is null)`
  return db.select({ letters: sql<number>`count(*)`.as('letters'), waiting: waiting.as('waiting') }).from(deadLetters)
}

/** However many: a statement takes 100 parameters. */
function isAmong(column: SQLiteColumn, ids: readonly number[]): SQL {
  return sql`${column} in (select value from ${each(ids)})`
}

export function selectIds(db: Database, ids: readonly number[]) {
  return db.select({ id: deadLetters.id }).from(deadLetters).where(isAmong(deadLetters.id, ids))
}

/** What applications are called by these ids. */
export function selectHandles(db: Database, ids: readonly number[]) {
  const { id, handle } = applications
  return db.select({ id, handle }).from(applications).where(isAmong(id, ids))
}

/** Those that a person asked to have sent again. */
export function selectToResend(db: Database, limit: number) {
  const { id, resendAt } = deadLetters
  const { body, putAsideAt } = COLUMNS
  return db.select({ id, body, putAsideAt }).from(deadLetters).where(isNotNull(resendAt)).orderBy(asc(id)).limit(limit)
}

/** Asks to have these sent again; all for null. */
export function markToResend(db: Database, { ids, now }: { ids: readonly number[] | null; now: number }) {
  const { id, resendAt } = deadLetters
  return db
    .update(deadLetters)
    .set({ resendAt: now })
    .where(ids ? isAmong(id, ids) : isNull(resendAt))
}

/** All for null. */
export function deleteDeadLetters(db: Database, ids: readonly number[] | null) {
  return ids ? db.delete(deadLetters).where(isAmong(deadLetters.id, ids)) : db.delete(deadLetters)
}
