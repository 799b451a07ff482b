import type { Database } from '../storage/database.ts'
import { fieldsGiven, type Some } from '../storage/partial.ts'
import { type CaptureSettings, DEFAULT_CAPTURE } from './capture-settings.ts'
import { patchCapture, selectCapture } from './sql.ts'

/** What the application's tracking clients are to capture, as the database says it now. */
export async function readCaptureSettings(db: Database, applicationId: number): Promise<CaptureSettings> {
  const [row] = await selectCapture(db, applicationId)
  return { ...DEFAULT_CAPTURE, ...row?.capture }
}

/**
 * Changes what is given and leaves the rest; returns all of it. What a list names twice it names once. Clients see it within
 * 90 seconds.
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
