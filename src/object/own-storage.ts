import { logError } from '../base/log.ts'

/** What SQLite says of an object's own file; what it says of D1 begins with other words. */
const BROKEN = /^(database disk image is malformed|file is not a database)\b/

export function isOfOwnStorage(error: unknown): boolean {
  return error instanceof Error && BROKEN.test(error.message)
}

/** Drops a storage that cannot be read, with all that lies in it: the database has everything but the day's quotas, and cron tells of jobs. */
export async function dropStorage(storage: DurableObjectStorage, error: unknown, application: number): Promise<void> {
  logError('storage of an object is damaged and made anew', error, { application })
  try {
    await storage.deleteAll()
  } catch (failure) {
    logError('storage of an object cannot be dropped: restart the service, or "npm run account -- rebuild"', failure, {
      application,
    })
    throw failure
  }
}
