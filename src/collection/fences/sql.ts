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

export function compareFences(db: BatchDatabase, known: readonly (readonly [number, number])[]): D1PreparedStatement {
  return db.$client.prepare(COMPARE).bind(JSON.stringify(known))
}

/** The same for one fence, for a batch of builders. */
export function compareFence(db: Database, applicationId: number, generation: number) {
  return db.insert(fences).select(comparing([[applicationId, generation]]))
}

const next = sql`abs(${fences.generation}) + 1`

export const RAISED = { first: sql`1`, next: sql`iif(${fences.generation} < 0, -1, 1) * (${next})` }
export const CLOSED = { first: sql`-1`, next: sql`-(${next})` }
export const OPENED = { first: sql`1`, next }

/** Every change increases the absolute number, so no fence ever comes back. */
export function changeFence(db: Database, applicationId: number, to: { readonly first: SQL; readonly next: SQL }) {
  return db
    .insert(fences)
    .values({ applicationId, generation: to.first })
    .onConflictDoUpdate({ target: fences.applicationId, set: { generation: to.next } })
}
