import type { Database } from '../storage/database.ts'
import { keysOf, type ObjectKey } from './object-name.ts'
import { selectLayouts } from './sql.ts'

/** The objects of an application that may have columns: those of each layout that the directory has. */
export async function objectsOf(directory: Database, applicationId: number): Promise<ObjectKey[]> {
  const layouts = await selectLayouts(directory, applicationId)
  return layouts.flatMap(({ objects }) => keysOf({ applicationId, objects }))
}
