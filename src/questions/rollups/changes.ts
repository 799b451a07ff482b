import type { Calendar } from '../../base/time/calendar.ts'
import type { BatchDatabase } from '../../storage/database.ts'
import type { ObjectKey } from '../../storage/object-name.ts'
import {
  ALL_TIME,
  deleteChanges,
  markDays,
  redateChanges,
  type StoredChange,
  selectAllTime,
  selectChanges,
  upsertFigures,
  upsertMonthly,
  type WrittenFigures,
} from './sql.ts'

export type { StoredChange }

/** Whether a change affects every name. */
export function isOfAllTime({ bucket }: StoredChange): boolean {
  return bucket === ALL_TIME
}

/** The names of a change; empty for a change of all time. */
export function namesOf(change: StoredChange): readonly number[] {
  return isOfAllTime(change) ? [] : (change.names ?? [change.nameId])
}

/**
 * The beginning of a change of all time that makes its object forget what it knows and read everything: the database
 * was restored, or the object has another partitioning, so that ids may now belong to other names, users and contexts.
 */
export const FORGETTING = -1

/** Reads up to `limit` changes that an object has not read, newest first, and always that of all time, as the last. */
export async function readChanges(db: BatchDatabase, key: ObjectKey, limit: number): Promise<StoredChange[]> {
  const [changes, [all]] = await db.batch([selectChanges(db, key, { limit }), selectAllTime(db, key)])
  return all && changes.at(-1)?.bucket !== all.bucket ? [...changes, all] : changes
}

export interface NameDay {
  readonly nameId: number
  readonly day: number
}

/** Makes an object read days of names again. */
export async function readAgain(
  db: BatchDatabase,
  key: ObjectKey,
  { days, calendar, now }: { days: readonly NameDay[]; calendar: Calendar; now: number },
): Promise<void> {
  const rows = days.map(({ nameId, day }) => {
    return { nameId, from: calendar.startOf(day), to: calendar.startOf(day + 1) - 1 }
  })
  if (rows.length > 0) await markDays(db, key, { days: rows, now })
}

export interface FigureDatabases {
  /** The activity database that has the changes. */
  readonly db: BatchDatabase
  /** The database with the daily figures; the same object as `db` if that is the first database. */
  readonly directory: BatchDatabase
}

/**
 * Writes an object's figures and acknowledges the changes that they contain. Changes that grew meanwhile stay, dated
 * from this run. If one database has both, this is one transaction. Otherwise figures are written first: if
 * acknowledging then fails, the changes are read again and the same figures are written.
 */
export async function acknowledge(
  { db, directory }: FigureDatabases,
  key: ObjectKey,
  { figures, monthly, changes, asOf }: WrittenFigures,
): Promise<void> {
  const written = [upsertFigures(directory, key, figures), upsertMonthly(directory, key, monthly)] as const
  const acknowledged = [deleteChanges(db, key, changes), redateChanges(db, key, { changes, asOf })] as const
  if (db === directory) {
    await db.batch([...written, ...acknowledged])
  } else {
    await directory.batch(written)
    if (changes.length > 0) await db.batch(acknowledged)
  }
}
