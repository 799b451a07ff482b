import { type CaptureSettings, DEFAULT_CAPTURE } from '../../storage/capture-settings.ts'
import type { Database } from '../../storage/database.ts'
import { fieldsGiven, type Some } from '../../storage/partial.ts'
import { patchCapture, selectCapture } from './sql.ts'

/** What the application's tracking clients capture, read from the database. */
export async function readCaptureSettings(db: Database, applicationId: number): Promise<CaptureSettings> {
  const [row] = await selectCapture(db, applicationId)
  return { ...DEFAULT_CAPTURE, ...row?.capture }
}

/**
 * Changes the given fields and returns all of them. Duplicates in a list are dropped. Clients see the change within 90 seconds.
 */
export async function changeCaptureSettings(
  db: Database,
  applicationId: number,
  changes: Some<CaptureSettings>,
): Promise<CaptureSettings> {
  const given = Object.entries(fieldsGiven(changes)).map(([field, value]) => [field, withoutDuplicates(value)])
  if (given.length > 0) await patchCapture(db, applicationId, Object.fromEntries(given))
  return readCaptureSettings(db, applicationId)
}

function withoutDuplicates(value: boolean | readonly string[]): boolean | string[] {
  return typeof value === 'boolean' ? value : [...new Set(value)]
}
