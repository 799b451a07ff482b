import { and, eq, ne, sql } from 'drizzle-orm'
import type { Database } from '../../storage/database.ts'
import { selectRow } from '../../storage/json-rows.ts'
import { cohorts } from '../../storage/schema.ts'

export type CohortRow = typeof cohorts.$inferSelect

/** Selects names from the index alone: a definition may be long, and what follows it in a row is slow to reach. */
export function selectNames(db: Database, applicationId: number) {
  return db.select({ name: cohorts.name }).from(cohorts).where(eq(cohorts.applicationId, applicationId))
}

export function selectCohorts(db: Database, applicationId: number) {
  return db
    .select({ name: cohorts.name, createdAt: cohorts.createdAt })
    .from(cohorts)
    .where(eq(cohorts.applicationId, applicationId))
}

type CohortKey = Pick<CohortRow, 'applicationId' | 'name'>

export function selectCohort(db: Database, { applicationId, name }: CohortKey) {
  return db
    .select()
    .from(cohorts)
    .where(and(eq(cohorts.applicationId, applicationId), eq(cohorts.name, name)))
}

/** Selects the names of cohorts whose name or definition contains a text. */
export function selectNamesWith(db: Database, applicationId: number, text: string) {
  const { name, definition } = cohorts
  return db
    .select({ name })
    .from(cohorts)
    .where(
      and(eq(cohorts.applicationId, applicationId), sql`(instr(${name}, ${text}) or instr(${definition}, ${text}))`),
    )
}

/** Replaces a definition, unless it changed meanwhile. */
export function replaceDefinition(db: Database, { applicationId, name, definition }: CohortRow, changed: string) {
  return db
    .update(cohorts)
    .set({ definition: changed })
    .where(and(eq(cohorts.applicationId, applicationId), eq(cohorts.name, name), eq(cohorts.definition, definition)))
    .returning({ name: cohorts.name })
}

/** Stores a cohort, replacing one of the same name. Returns nothing if that would make more than `most` cohorts. */
export function upsertCohort(db: Database, row: CohortRow, most: number) {
  const { applicationId, name } = cohorts
  const others = db.$count(cohorts, and(eq(applicationId, row.applicationId), ne(name, row.name)))
  return db
    .insert(cohorts)
    .select(selectRow(cohorts, row, sql`${others} < ${most}`))
    .onConflictDoUpdate({ target: [applicationId, name], set: { definition: row.definition } })
    .returning({ createdAt: cohorts.createdAt })
}

export function deleteCohortRow(db: Database, { applicationId, name }: CohortKey) {
  return db
    .delete(cohorts)
    .where(and(eq(cohorts.applicationId, applicationId), eq(cohorts.name, name)))
    .returning()
}
