import type { BatchDatabase } from '../../storage/database.ts'
import type { ObjectKey } from '../../storage/object-name.ts'
import { markDays, type NameDay, type StoredChange, selectAllTime, selectChanges } from './sql.ts'

export type { StoredChange }

/**
 * What an object does not know yet: so many changes, the newest first. The change of all time is the last, however
 * many others there are.
 */
export async function readChanges(db: BatchDatabase, key: ObjectKey, limit: number): Promise<StoredChange[]> {
  const [changes, [all]] = await db.batch([selectChanges(db, key, { limit }), selectAllTime(db, key)])
  return all && changes.at(-1)?.nameId !== all.nameId ? [...changes, all] : changes
}

/** Asks an object to read days of names again. */
export async function readAgain(
  db: BatchDatabase,
  key: ObjectKey,
  { days, now }: { days: readonly NameDay[]; now: number },
): Promise<void> {
  if (days.length > 0) await markDays(db, key, { days, now })
}
