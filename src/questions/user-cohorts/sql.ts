import { and, eq, ne, sql } from 'drizzle-orm'
import type { Database } from '../../storage/database.ts'
import { selectRow } from '../../storage/json-rows.ts'
import { cohorts } from '../../storage/schema.ts'

export type CohortRow = typeof cohorts.$inferSelect

export function selectCohortNames(db: Database, applicationId: number) {
  return db
    .select({ name: cohorts.name, createdAt: cohorts.createdAt })
    .from(cohorts)
    .where(eq(cohorts.applicationId, applicationId))
}

export function selectCohorts(db: Database, applicationId: number, names: readonly string[]) {
  return db
    .select()
    .from(cohorts)
    .where(
      and(
        eq(cohorts.applicationId, applicationId),
        sql`${cohorts.name} in (select value from json_each(${JSON.stringify(names)}))`,
      ),
    )
}

/** Replaces a cohort of the same name. Returns nothing if that would be more than `most` cohorts. */
export function upsertCohort(db: Database, row: CohortRow, most: number) {
  const { applicationId, name } = cohorts
  const others = db.$count(cohorts, and(eq(applicationId, row.applicationId), ne(name, row.name)))
  return db
    .insert(cohorts)
    .select(selectRow(cohorts, row, sql`${others} < ${most}`))
    .onConflictDoUpdate({ target: [applicationId, name], set: { definition: row.definition } })
    .returning({ createdAt: cohorts.createdAt })
}

export function deleteCohortRow(db: Database, { applicationId, name }: Pick<CohortRow, 'applicationId' | 'name'>) {
  return db
    .delete(cohorts)
    .where(and(eq(cohorts.applicationId, applicationId), eq(cohorts.name, name)))
    .returning()
}
