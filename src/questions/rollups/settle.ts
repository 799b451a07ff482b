import type { BatchDatabase } from '../../storage/database.ts'
import type { ObjectKey } from '../../storage/object-name.ts'
import { forgetChanges, type Settlement, type StoredChange, writeFigures } from './sql.ts'

export type { StoredChange }

export interface FigureDatabases {
  /** The activity database that has the changes. */
  readonly db: BatchDatabase
  /** Where daily figures are; the same one where that is the first. */
  readonly directory: BatchDatabase
}

/**
 * Writes an object's figures and deletes the changes that they contain, but for those that grew meanwhile. In one transaction where
 * one database has both, else the figures first: where the second does not follow, the changes are read again and the same
 * figures are written.
 */
export async function settle(
  { db, directory }: FigureDatabases,
  key: ObjectKey,
  settlement: Settlement,
): Promise<void> {
  const figures = writeFigures(directory, key, settlement)
  const changes = forgetChanges(db, key, settlement)
  if (db === directory) {
    await db.batch([...figures, ...changes])
  } else {
    await directory.batch(figures)
    if (settlement.settled.length > 0) await db.batch(changes)
  }
}
