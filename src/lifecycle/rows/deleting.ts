import type { BatchDatabase } from '../../storage/database.ts'
import { deleteEvents, deleteIds, deleteRows, type EventKey, type RowPage, theseEvents } from './sql.ts'

// What all jobs delete rows with: a page at a time, so that nobody else who asks the database waits for long.

export { deleteEvents, type EventKey, type EventRows, type RowPage, theseEvents } from './sql.ts'

/** Deletes a page of rows; returns how many there were. */
export async function deletePage(db: BatchDatabase, page: RowPage): Promise<number> {
  return (await deleteRows(db, page)).meta.changes
}

/** The same as a statement for a batch of the binding. */
export function preparePage(db: BatchDatabase, page: RowPage): D1PreparedStatement {
  const { sql, params } = deleteRows(db, page).toSQL()
  return db.$client.prepare(sql).bind(...params)
}

interface DoomedEvents {
  readonly applicationId: number
  readonly cursors: readonly EventKey[]
  /** All that the application is in: if it was moved to several, each has the ids of all events. */
  readonly databases: readonly BatchDatabase[]
}

/** Deletes events of one database, last, and their ids in all of them. */
export async function deleteEventPage(
  db: BatchDatabase,
  { applicationId, cursors, databases }: DoomedEvents,
): Promise<void> {
  if (cursors.length === 0) return
  const rows = theseEvents(cursors)
  for (const other of databases) if (other !== db) await deleteIds(other, applicationId, rows)
  await db.batch(deleteEvents(db, applicationId, rows))
}
