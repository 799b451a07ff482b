import type { BatchDatabase, Database } from '../storage/database.ts'
import { CLOSED, changeFence, compareFences, OPENED, RAISED, selectFences } from './sql.ts'

// An application has a fence in each activity database: a number that deliveries know and name when they store. Whoever erases,
// deletes or moves changes it, and from then on nothing can be stored that was decided before. In this order:
//
// 1. The directory says what is new: who is erased, that the application is gone, where it is now, from which day on it keeps events.
// 2. The fence is raised in each of its databases.
// 3. Rows are deleted: by a job in the databases where the application is by then, whose fences it raises once more before, as it may
//    have been moved meanwhile.
//
// A delivery reads the fence before the directory. So the one that knows the new number knows what the directory says as well,
// and what the one with the old number had not stored by step 2 fails. A fence is not deleted with the application's rows: without
// its row it would be 0 again.

/** Of applications that have a fence here; of all others it is 0. Below zero: closed. */
export async function readFences(
  db: Database,
  applicationIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const rows = await selectFences(db, applicationIds)
  return new Map(rows.map(({ applicationId, generation }) => [applicationId, generation]))
}

/** To be run first in a batch, which then fails as a whole where one of these fences is not what is known. */
export function requireFences(
  db: BatchDatabase,
  known: readonly (readonly [applicationId: number, generation: number])[],
): D1PreparedStatement {
  return compareFences(db, known)
}

/** Whether a batch failed because of its fences. */
export function isFenced(error: unknown): boolean {
  return String(error).includes('NOT NULL constraint failed: fences.generation')
}

// Each of these is a statement, to be awaited or put into a batch.

/** Lets all deliveries that are under way look up the application anew. A closed fence stays closed. */
export function raiseFence(db: Database, applicationId: number) {
  return changeFence(db, applicationId, RAISED)
}

/** From now on deliveries for the application wait in the queue, as far as they are for this database. */
export function closeFence(db: Database, applicationId: number) {
  return changeFence(db, applicationId, CLOSED)
}

export function openFence(db: Database, applicationId: number) {
  return changeFence(db, applicationId, OPENED)
}
