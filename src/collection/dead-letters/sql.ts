import { asc, desc, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { Database } from '../../storage/database.ts'
import { each } from '../../storage/json-rows.ts'
import { applications, deadLetters } from '../../storage/schema.ts'

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

/** Those of these ids that exist; null stands for all. */
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

/** Those that are marked to be sent again. */
export function selectToResend(db: Database, limit: number) {
  const { id, resendAt } = deadLetters
  const { body, putAsideAt } = COLUMNS
  return db.select({ id, body, putAsideAt }).from(deadLetters).where(isNotNull(resendAt)).orderBy(asc(id)).limit(limit)
}

/** Marks these to be sent again; null stands for all. */
export function markToResend(db: Database, { ids, now }: { ids: readonly number[] | null; now: number }) {
  const { id, resendAt } = deadLetters
  return db
    .update(deadLetters)
    .set({ resendAt: now })
    .where(ids ? isAmong(id, ids) : isNull(resendAt))
}

export function deleteDeadLetters(db: Database, ids: readonly number[]) {
  return db.delete(deadLetters).where(isAmong(deadLetters.id, ids))
}
