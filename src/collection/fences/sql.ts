import { type SQL, sql } from 'drizzle-orm'
import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core'
import type { BatchDatabase, Database } from '../../storage/database.ts'
import { cell, each, type JsonRows } from '../../storage/json-rows.ts'
import { fences } from '../../storage/schema.ts'

export function selectFences(db: Database, applicationIds: readonly number[]) {
  return db
    .select({ applicationId: fences.applicationId, generation: fences.generation })
    .from(fences)
    .where(sql`${fences.applicationId} in (select value from ${each(applicationIds)})`)
}

/** A row without a generation for each fence that has changed: it fails the batch, as the column must not be null. */
function comparing(known: JsonRows): SQL {
  return sql`select ${cell(0)}, null from ${each(known)} as r
    where coalesce((select f.generation from ${fences} as f where f.application_id = ${cell(0)}), 0) <> ${cell(1)}`
}

const COMPARE = new SQLiteAsyncDialect().sqlToQuery(
  sql`insert into ${fences} (application_id, generation) ${comparing(sql.placeholder('known'))}`,
).sql

/** Run it first in a batch: the whole batch then fails if one of these fences has changed. */
export function requireFences(
  db: BatchDatabase,
  known: readonly (readonly [applicationId: number, generation: number])[],
): D1PreparedStatement {
  return db.$client.prepare(COMPARE).bind(JSON.stringify(known))
}

/** Lets a batch of builders fail if this fence has changed. Run it first. */
export function requireFence(db: Database, applicationId: number, generation: number) {
  return db.insert(fences).select(comparing([[applicationId, generation]]))
}

/** Every change increases the absolute number, so no fence ever comes back. */
const increased = sql`abs(${fences.generation}) + 1`

// Each of these is a statement, to be awaited or put into a batch.

/** Makes all deliveries under way look up the application again. A closed fence stays closed. */
export function raiseFence(db: Database, applicationId: number) {
  return changeFence(db, { applicationId, generation: 1 }, sql`iif(${fences.generation} < 0, -1, 1) * (${increased})`)
}

/** From now on, deliveries of the application to this database wait in the queue. */
export function closeFence(db: Database, applicationId: number) {
  return changeFence(db, { applicationId, generation: -1 }, sql`-(${increased})`)
}

export function openFence(db: Database, applicationId: number) {
  return changeFence(db, { applicationId, generation: 1 }, increased)
}

function changeFence(db: Database, first: typeof fences.$inferInsert, generation: SQL) {
  return db.insert(fences).values(first).onConflictDoUpdate({ target: fences.applicationId, set: { generation } })
}
