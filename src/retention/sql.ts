import { and, gt, isNotNull, sql } from 'drizzle-orm'
import type { Database } from '../storage/database.ts'
import { cell, each } from '../storage/json-rows.ts'
import { applications, jobs } from '../storage/schema.ts'

/** Applications that do not keep everything, by id: those after this one. */
export function selectKeeping(db: Database, { after, limit }: { after: number; limit: number }) {
  const { id, keepMonths, keptFrom } = applications
  const months = sql<number>`${keepMonths}`
  return db
    .select({ id, keepMonths: months, keptFrom })
    .from(applications)
    .where(and(isNotNull(keepMonths), gt(id, after)))
    .orderBy(id)
    .limit(limit)
}

/** An application, for how many months it keeps events, and the first day of which it does from now on. */
export type Due = readonly [id: number, keepMonths: number, keptFrom: number]

/** Whoever has another number of months by now stays as they are, and so does whoever has a job that is still deleting. */
export function raiseKeptFrom(db: Database, due: readonly Due[]) {
  const { id, keepMonths, keptFrom } = applications
  const deleting = sql`select 1 from ${jobs} where ${jobs.applicationId} = ${id} and ${jobs.kind} = 'retain'`
  return db
    .update(applications)
    .set({ keptFrom: cell(2) })
    .from(sql`${each(due)} as r`)
    .where(
      and(
        sql`${id} = ${cell(0)} and ${keepMonths} = ${cell(1)} and coalesce(${keptFrom}, -1) < ${cell(2)}`,
        sql`not exists (${deleting})`,
      ),
    )
}
