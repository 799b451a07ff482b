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

/** Whether it is a change of every name. */
export function isOfAllTime({ bucket }: StoredChange): boolean {
  return bucket === ALL_TIME
}

/** The names of a change; none of one of all time. */
export function namesOf(change: StoredChange): readonly number[] {
  return isOfAllTime(change) ? [] : (change.names ?? [change.nameId])
}

/**
 * A change of all time that begins here asks its object to forget what it knows and read everything: the database is of another
 * time, or the object of another partitioning, so the ids that it knows may belong to other names, users and contexts now.
 */
export const FORGETTING = -1

/**
 * What an object does not know yet: so many changes, the newest first. The change of all time is the last, however
 * many others there are.
 */
export async function readChanges(db: BatchDatabase, key: ObjectKey, limit: number): Promise<StoredChange[]> {
  const [changes, [all]] = await db.batch([selectChanges(db, key, { limit }), selectAllTime(db, key)])
  return all && changes.at(-1)?.bucket !== all.bucket ? [...changes, all] : changes
}

export interface NameDay {
  readonly nameId: number
  readonly day: number
}

/** Asks an object to read days of names again. */
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
  /** Where daily figures are; the same one where that is the first. */
  readonly directory: BatchDatabase
}

/**
 * Writes an object's figures and acknowledges the changes that they contain, but for those that grew meanwhile: these stay, dated
 * from this run. In one transaction where one database has both, else the figures first: where the second does not follow, the
 * changes are read again and the same figures are written.
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
