import { type ActivityScope, findKeeping } from '../../accounts/applications/placement.ts'
import { raiseFence, requireFence } from '../../collection/fences/fence.ts'
import { bindingOf, databaseOf } from '../../storage/activity.ts'
import { type BatchDatabase, openDatabase } from '../../storage/database.ts'
import { deleteSessions, deleteUser, type ErasedPerson, eraseEvents, eventsAfter, selectUsedBy } from './sql.ts'

export type { ErasedPerson }

/** Ids. */
export interface Used {
  readonly names: readonly number[]
  readonly contexts: readonly number[]
}

/** Clocks of clients differ by so much, as a rule. */
const CLOCKS_DIFFER_MS = 10 * 60_000

/** Up to here a job looks for events; what happened later is erased when it begins. */
export function cutoffOf(erasedAt: number): number {
  return erasedAt - CLOCKS_DIFFER_MS
}

/** The database that a person's activity is in, and how the application is kept; null if that is gone. */
export async function databaseOfPerson(
  { applicationId, telegramId }: ErasedPerson,
  { env, directory }: { readonly env: Env; readonly directory: BatchDatabase },
): Promise<(ActivityScope & { db: BatchDatabase }) | null> {
  const kept = await findKeeping(directory, applicationId)
  return kept && { ...kept, db: openDatabase(bindingOf(env, databaseOf(kept.placement, telegramId))) }
}

/**
 * Takes away what is known of a person and what happened lately, and raises the fence, all at once: whatever is stored of them
 * afterwards was sent afterwards, and all of it stays but for what happened before the cutoff. A job names the fence that it holds:
 * where another run of it was quicker, the person may be back. Returns the names and contexts that the events had.
 */
export async function beginErasing(
  db: BatchDatabase,
  person: ErasedPerson,
  { erasedAt, held }: { readonly erasedAt: number; readonly held?: number },
): Promise<Used> {
  const { applicationId } = person
  const rows = eventsAfter(person, cutoffOf(erasedAt))
  const erasing = [
    raiseFence(db, applicationId),
    ...eraseEvents(db, person, rows, erasedAt),
    deleteUser(db, person),
    deleteSessions(db, person),
  ]
  const required = held === undefined ? [] : [requireFence(db, applicationId, held)]
  const [used] = await db.batch([selectUsedBy(db, rows), ...required, ...erasing])
  const [names, contexts] = [used.map(({ nameId }) => nameId), used.map(({ contextId }) => contextId)]
  return { names: [...new Set(names)], contexts: [...new Set(contexts)] }
}
