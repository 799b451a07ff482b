import type { BatchDatabase } from '../storage/database.ts'
import { deleteIds, deleteEvents as deleting, type Place, theseEvents } from './sql.ts'

interface Doomed {
  readonly applicationId: number
  readonly places: readonly Place[]
  /** All that the application is in: if it was moved to several, each has the ids of all events. */
  readonly databases: readonly BatchDatabase[]
}

/** Deletes the events at these places of one database, last, and their ids in all of them. */
export async function deleteEvents(db: BatchDatabase, { applicationId, places, databases }: Doomed): Promise<void> {
  if (places.length === 0) return
  const rows = theseEvents(places)
  for (const other of databases) if (other !== db) await deleteIds(other, applicationId, rows)
  await db.batch(deleting(db, applicationId, rows))
}
