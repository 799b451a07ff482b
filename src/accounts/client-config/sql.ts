import { eq, sql } from 'drizzle-orm'
import type { CaptureSettings } from '../../storage/capture-settings.ts'
import type { Database } from '../../storage/database.ts'
import { applications } from '../../storage/schema.ts'

export function selectCapture(db: Database, applicationId: number) {
  return db.select({ capture: applications.capture }).from(applications).where(eq(applications.id, applicationId))
}

/** The fields that are named take the place of those there, whatever another request changes at the same moment. */
export function patchCapture(db: Database, applicationId: number, changes: Partial<CaptureSettings>) {
  return db
    .update(applications)
    .set({ capture: sql`json_patch(${applications.capture}, ${JSON.stringify(changes)})` })
    .where(eq(applications.id, applicationId))
}
