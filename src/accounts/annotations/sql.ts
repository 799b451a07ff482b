import { and, eq, sql } from 'drizzle-orm'
import type { Database } from '../../storage/database.ts'
import { selectRow } from '../../storage/json-rows.ts'
import { annotations } from '../../storage/schema.ts'

export type AnnotationRow = typeof annotations.$inferSelect

export function selectAnnotations(db: Database, applicationId: number) {
  return db.select().from(annotations).where(eq(annotations.applicationId, applicationId))
}

/** Returns nothing if that would be more than `most`. */
export function insertAnnotation(db: Database, row: AnnotationRow, most: number) {
  const others = db.$count(annotations, eq(annotations.applicationId, row.applicationId))
  return db
    .insert(annotations)
    .select(selectRow(annotations, row, sql`${others} < ${most}`))
    .returning({ id: annotations.id })
}

export function deleteAnnotationRow(db: Database, { applicationId, id }: Pick<AnnotationRow, 'applicationId' | 'id'>) {
  return db
    .delete(annotations)
    .where(and(eq(annotations.applicationId, applicationId), eq(annotations.id, id)))
    .returning()
}
