import type { Database } from '../../storage/database.ts'
import { selectFences } from './sql.ts'

export { closeFence, openFence, raiseFence, requireFence, requireFences } from './sql.ts'

// An application has a fence in each activity database: a number that a delivery reads first and names when it stores. An erasure,
// a deletion or a move changes the number, and then a batch that was decided before fails. They work in this order:
//
// 1. The control database records what is new: who is erased, that the application is gone, where it is, or its first kept day.
// 2. The fence is raised in each of the application's databases.
// 3. A job deletes rows, or replaces an erased user's id in them, in the databases where the application is by then. It raises their
//    fences once more before, as the application may have moved meanwhile.
//
// A delivery reads the fence before the control database. So a delivery that knows the new number also knows what step 1 recorded, and
// one with the old number fails to store anything after step 2. A fence outlives the application's rows: without its row it would be 0
// again.
//
// A job that deletes or copies rows does the same: it reads the fence here, then checks in the control database that the work is still
// to be done, and names the fence in the batch that does it. So a slow run fails after others have moved on, and deletes nothing that
// belongs here by then. Where the control database orders a deletion by a number that only grows (the application is gone, its first
// kept day), that alone is proof.

/** Reads the generation of each application's fence. Below zero means closed; an application that is missing has 0. */
export async function readFences(
  db: Database,
  applicationIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const rows = await selectFences(db, applicationIds)
  return new Map(rows.map(({ applicationId, generation }) => [applicationId, generation]))
}

/** Whether a batch failed because of its fences. */
export function isFenced(error: unknown): boolean {
  return String(error).includes('NOT NULL constraint failed: fences.generation')
}
