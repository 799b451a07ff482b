import type { ObjectKey } from '../objects/object-name.ts'
import type { BatchDatabase } from '../storage/database.ts'
import { type Change, markDays, type NameDay, selectChanges } from './sql.ts'

export type { Change }

/** What an object does not know yet: the newest hours first, the change of all time last. */
export async function readChanges(db: BatchDatabase, key: ObjectKey, limit: number): Promise<Change[]> {
  return selectChanges(db, key, { limit })
}

/** Asks an object to read days of names again. */
export async function readAgain(
  db: BatchDatabase,
  key: ObjectKey,
  { days, now }: { days: readonly NameDay[]; now: number },
): Promise<void> {
  if (days.length > 0) await markDays(db, key, { days, now })
}
