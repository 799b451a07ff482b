import { type SQL, sql } from 'drizzle-orm'
import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core'
import type { BatchDatabase, Database } from '../storage/database.ts'
import { cell, each } from '../storage/json-rows.ts'
import { fences } from '../storage/schema.ts'

export function selectFences(db: Database, applicationIds: readonly number[]) {
  return db
    .select({ applicationId: fences.applicationId, generation: fences.generation })
    .from(fences)
    .where(sql`${fences.applicationId} in (select value from ${each(applicationIds)})`)
}

/** A row without a generation for each fence that is another one than is known: it fails the batch, as none may be missing. */
const COMPARE = new SQLiteAsyncDialect().sqlToQuery(sql`
  insert into ${fences} (application_id, generation)
  select ${cell(0)}, null from json_each(${sql.placeholder('known')}) as r
  where coalesce((select f.generation from ${fences} as f where f.application_id = ${cell(0)}), 0) <> ${cell(1)}`).sql

export function compareFences(db: BatchDatabase, known: readonly (readonly [number, number])[]): D1PreparedStatement {
  return db.$client.prepare(COMPARE).bind(JSON.stringify(known))
}

const next = sql`abs(${fences.generation}) + 1`

export const RAISED = { first: sql`1`, next: sql`iif(${fences.generation} < 0, -1, 1) * (${next})` }
export const CLOSED = { first: sql`-1`, next: sql`-(${next})` }
export const OPENED = { first: sql`1`, next }

/** Every change makes the number greater, whatever its sign: a fence that somebody knows never comes back. */
export function changeFence(db: Database, applicationId: number, to: { readonly first: SQL; readonly next: SQL }) {
  return db
    .insert(fences)
    .values({ applicationId, generation: to.first })
    .onConflictDoUpdate({ target: fences.applicationId, set: { generation: to.next } })
}
