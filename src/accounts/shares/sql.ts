import { and, desc, eq, getTableColumns, gt, inArray, isNull, lte, or, sql } from 'drizzle-orm'
import type { Database } from '../../storage/database.ts'
import { selectRow } from '../../storage/json-rows.ts'
import { accounts, applications, boards, savedQuestions, shares } from '../../storage/schema.ts'

export type ShareRow = typeof shares.$inferSelect

function isOpen(now: number) {
  return or(isNull(shares.expiresAt), gt(shares.expiresAt, now))
}

/**
 * Returns nothing if the application would have more than `most` links, or if what would be shared is gone: a link to it would open
 * what is saved under the same name later. Those that ended do not count.
 */
export function insertShare(db: Database, row: typeof shares.$inferInsert, most: number) {
  const { applicationId, boardId, report } = row
  const others = db.$count(shares, and(eq(shares.applicationId, applicationId), isOpen(row.createdAt)))
  const board = db
    .select({ id: boards.id })
    .from(boards)
    .where(and(eq(boards.applicationId, applicationId), eq(boards.id, boardId ?? '')))
  const saved = db
    .select({ name: savedQuestions.name })
    .from(savedQuestions)
    .where(and(eq(savedQuestions.applicationId, applicationId), eq(savedQuestions.name, report ?? '')))
  return db
    .insert(shares)
    .select(selectRow(shares, row, sql`${others} < ${most} and exists ${boardId ? board : saved}`))
    .returning({ hash: shares.hash })
}

export function deleteEndedShares(
  db: Database,
  { applicationId, now }: Pick<ShareRow, 'applicationId'> & { now: number },
) {
  return db.delete(shares).where(and(eq(shares.applicationId, applicationId), lte(shares.expiresAt, now)))
}

/** A link that has not ended, its application and its account. */
export function selectOpenShare(db: Database, { hash, now }: { readonly hash: string; readonly now: number }) {
  return db
    .select({ share: getTableColumns(shares), application: getTableColumns(applications), plan: accounts.plan })
    .from(shares)
    .innerJoin(applications, eq(applications.id, shares.applicationId))
    .innerJoin(accounts, eq(accounts.id, applications.accountId))
    .where(and(eq(shares.hash, hash), isOpen(now)))
}

/** Newest first. */
export function selectShares(db: Database, applicationId: number, now: number) {
  return db
    .select()
    .from(shares)
    .where(and(eq(shares.applicationId, applicationId), isOpen(now)))
    .orderBy(desc(shares.createdAt))
}

/** A link that has not ended and shows this report, by itself or on a board; nothing if there is none. */
export function selectShareOf(
  db: Database,
  { applicationId, report, now }: { readonly applicationId: number; readonly report: string; readonly now: number },
) {
  const isOnIt = sql`${report} in (select value from json_each(${boards.reports}))`
  const withIt = db
    .select({ id: boards.id })
    .from(boards)
    .where(and(eq(boards.applicationId, applicationId), isOnIt))
  const shows = or(eq(shares.report, report), inArray(shares.boardId, withIt))
  return db
    .select({ hash: shares.hash })
    .from(shares)
    .where(and(eq(shares.applicationId, applicationId), isOpen(now), shows))
    .limit(1)
}

/** `id` is the beginning of the hash. */
export function deleteShare(
  db: Database,
  { applicationId, id }: { readonly applicationId: number; readonly id: string },
) {
  const isMeant = eq(sql`substr(${shares.hash}, 1, ${id.length})`, id)
  return db
    .delete(shares)
    .where(and(eq(shares.applicationId, applicationId), isMeant))
    .returning({ hash: shares.hash })
}

interface Attempt {
  readonly hash: string
  readonly now: number
  readonly windowMs: number
  readonly most: number
}

/** Counts one more password. Returns nothing if `most` were tried within the window. */
export function countAttempt(db: Database, { hash, now, windowMs, most }: Attempt) {
  const isOver = sql`${shares.attemptsSince} <= ${now - windowMs}`
  return db
    .update(shares)
    .set({
      attempts: sql`iif(${isOver}, 1, ${shares.attempts} + 1)`,
      attemptsSince: sql`iif(${isOver}, ${now}, ${shares.attemptsSince})`,
    })
    .where(and(eq(shares.hash, hash), or(isOver, sql`${shares.attempts} < ${most}`)))
    .returning({ hash: shares.hash })
}

/** A password that was right counts as no attempt. */
export function forgiveAttempt(db: Database, hash: string) {
  return db
    .update(shares)
    .set({ attempts: sql`max(0, ${shares.attempts} - 1)` })
    .where(eq(shares.hash, hash))
}
