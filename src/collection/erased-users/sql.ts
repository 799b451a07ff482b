import { eq, sql } from 'drizzle-orm'
import type { Database } from '../../storage/database.ts'
import { cell, each } from '../../storage/json-rows.ts'
import { applications, EVERYBODY, erasures, sealedErasureKey } from '../../storage/schema.ts'

/** Selects which of these users (hashes in hexadecimal) were erased: when, and whether they are blocked. */
export function selectErasures(db: Database, hashes: readonly (readonly [applicationId: number, userHash: string])[]) {
  const { applicationId, userHash, erasedAt, isBlocked } = erasures
  return db
    .select({ userHash: sql<string>`lower(hex(${userHash}))`, erasedAt, isBlocked })
    .from(sql`${each(hashes)} as r`)
    .innerJoin(erasures, sql`${applicationId} = ${cell(0)} and ${userHash} = unhex(${cell(1)})`)
}

/** Notes that an application is deleted now. */
export function insertDeletion(db: Database, applicationId: number, now: number) {
  return db
    .insert(erasures)
    .values({ applicationId, userHash: EVERYBODY, erasedAt: now, isBlocked: false })
    .onConflictDoUpdate({ target: [erasures.applicationId, erasures.userHash], set: { erasedAt: now } })
}

/** Finds which of these applications were deleted, and when. */
export function selectDeletions(db: Database, applicationIds: readonly number[]) {
  const { applicationId, userHash, erasedAt: deletedAt } = erasures
  return db
    .select({ applicationId, deletedAt })
    .from(erasures)
    .where(sql`${applicationId} in (select value from ${each(applicationIds)}) and ${userHash} = ${EVERYBODY}`)
}

/** What keys the hashes of an application's erased users, sealed. */
export function selectSealedKey(db: Database, applicationId: number) {
  return db.select({ sealedKey: sealedErasureKey }).from(applications).where(eq(applications.id, applicationId))
}

/** What keys the hashes of erased users, sealed, for those of these applications that somebody was erased from. */
export function selectSealedKeys(db: Database, applicationIds: readonly number[]) {
  const { id } = applications
  const erased = sql`select 1 from ${erasures} where ${erasures.applicationId} = ${id}`
  return db
    .select({ id, sealedKey: sealedErasureKey })
    .from(applications)
    .where(sql`${id} in (select value from ${each(applicationIds)}) and exists (${erased})`)
}

/** A row of release a465e32, and its keyed hash. Hashes are in hexadecimal. */
export interface Keying {
  readonly applicationId: number
  readonly unkeyed: string
  readonly userHash: string
}

/** Gives rows of release a465e32 their keyed hashes, and merges them into rows that have the keyed hash already. Run as one batch. */
export function keyRows(db: Database, keyings: readonly Keying[]) {
  const rows = keyings.map(({ applicationId, unkeyed, userHash }) => [applicationId, unkeyed, userHash])
  const keyed = sql`select e.application_id, unhex(${cell(2)}), e.erased_at, e.is_blocked from ${each(rows)} as r
    cross join ${erasures} as e on e.application_id = ${cell(0)} and e.user_hash = unhex(${cell(1)}) where true`
  const { applicationId, userHash, erasedAt, isBlocked } = erasures
  const set = {
    erasedAt: sql`max(${erasedAt}, excluded.erased_at)`,
    isBlocked: sql`max(${isBlocked}, excluded.is_blocked)`,
  }
  return [
    db
      .insert(erasures)
      .select(keyed)
      .onConflictDoUpdate({ target: [applicationId, userHash], set }),
    db
      .delete(erasures)
      .where(sql`(${applicationId}, ${userHash}) in (select ${cell(0)}, unhex(${cell(1)}) from ${each(rows)} as r)`),
  ] as const
}

/** Rows of release a465e32 after this one, in order, and what keys the hashes of their applications, sealed. */
export function selectUnkeyed(db: Database, { after, limit }: { after: readonly [number, string]; limit: number }) {
  const { applicationId, userHash } = erasures
  return db
    .select({ applicationId, unkeyed: sql<string>`lower(hex(${userHash}))`, sealedKey: sealedErasureKey })
    .from(erasures)
    .innerJoin(applications, eq(applications.id, applicationId))
    .where(sql`length(${userHash}) = 16 and (${applicationId}, ${userHash}) > (${after[0]}, unhex(${after[1]}))`)
    .orderBy(applicationId, userHash)
    .limit(limit)
}

interface ErasureRow {
  readonly applicationId: number
  /** The hash of the user, in hexadecimal. */
  readonly userHash: string
  readonly now: number
  /** Undefined: a blocked user stays blocked. */
  readonly block: boolean | undefined
}

export function upsertErasure(db: Database, { applicationId, userHash, now, block }: ErasureRow) {
  const set = { erasedAt: now, ...(block !== undefined && { isBlocked: block }) }
  return db
    .insert(erasures)
    .values({ applicationId, userHash: sql`unhex(${userHash})`, erasedAt: now, isBlocked: block ?? false })
    .onConflictDoUpdate({ target: [erasures.applicationId, erasures.userHash], set })
    .returning({ isBlocked: erasures.isBlocked })
}
