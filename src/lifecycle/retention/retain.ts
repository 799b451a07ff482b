import { keptSince } from '../../accounts/applications/kept.ts'
import { readLayouts } from '../../accounts/applications/placement.ts'
import { raiseFence } from '../../collection/fences/fence.ts'
import { databaseOf, type Placement } from '../../storage/activity.ts'
import type { BatchDatabase } from '../../storage/database.ts'
import { MAX_OBJECTS, partsOf } from '../../storage/object-name.ts'
import { isIn, type JobStep, type PageOutcome, type StepWork, walk, workOf } from '../jobs/plan.ts'
import { deleteEvents, deleteIds, deleteRows, markRemembered, theseEvents } from '../jobs/statements.ts'
import { oldSessions, rememberFirsts, selectOldEvents, selectUserAfter } from './sql.ts'

// Old events are deleted in this order:
//
// 1. Cron records the first kept day in the control data.
// 2. The fences are raised: from then on nothing older is stored (see `fences/fence.ts`).
// 3. Objects drop old events from their columns, and read them no more.
// 4. Their rows are deleted, and what a user's row does not yet say of the user's first events is noted there in the same batch. That
//    marks no changes of events, because no object has them any more. In the end objects that were filled meanwhile read the notes.
//
// Daily figures and users stay, and so do names and contexts, whose ids must not be given again.

/**
 * The progress of deleting an application's old events; empty until the job begins.
 *
 * - `columns`: objects drop them from their columns.
 * - `events`: deletes events in one of the databases.
 * - `sessions`: deletes sessions in the same one; then the next database follows.
 */
interface RetentionProgress {
  readonly stage: 'columns' | 'events' | 'sessions'
  /**
   * The moment from which on events are kept, by the control data when the job began: milliseconds since 1970 UTC. If it has changed
   * since, the job starts over.
   */
  readonly keptSince: number
  readonly placement: Placement
  /** The index of the current database in the placement. */
  readonly database: number
  /** Sessions of users up to this messenger id are done. */
  readonly after: number
}

/** The most events or sessions that a step deletes. */
const ROWS = 1_000
/** A step reads this many times as many sessions. */
const LOOKED_AT = 25

type Retaining = JobStep<RetentionProgress>

/** Deletes old events, this many rows at a time. */
export function retainBy(rows: number) {
  const eachDatabase = (
    page: (db: BatchDatabase, step: Retaining) => Promise<PageOutcome<RetentionProgress>>,
  ): StepWork<RetentionProgress> =>
    walk('database', { tasks: ({ databases }) => databases, page, end: async () => 'done' })
  return workOf<RetentionProgress, RetentionProgress['stage']>({
    stageOf: ({ stage }) => stage,
    isCurrent: (note, application) =>
      isIn(application, note.placement) && application !== null && note.keptSince === keptSince(application),
    otherwise: begin,
    steps: {
      columns: dropFromColumns,
      events: eachDatabase(async (db, step) => {
        const deleted = await deleteOldEvents(db, step, rows)
        return { isLast: false, ...(deleted < rows && { changes: { stage: 'sessions', after: 0 } }) }
      }),
      sessions: eachDatabase(async (db, step) => {
        const { applicationId, note, fencedBatch } = step
        const { keptSince: before, after } = note
        const upTo = await selectUserAfter(db, { applicationId, after, count: rows * LOOKED_AT })
        const old = oldSessions({ applicationId, before, after, upTo, limit: rows })
        const batch = await fencedBatch(db)
        const [{ meta }] = await batch([deleteRows(db, old)])
        if (meta.changes === rows) return { isLast: false }
        if (upTo !== null) return { isLast: false, changes: { after: upTo } }
        await tellObjects(db, step)
        return { isLast: true, changes: { stage: 'events' } }
      }),
    },
  })
}

export const retain = retainBy(ROWS)

async function begin(step: Retaining): Promise<Partial<RetentionProgress> | 'done'> {
  const { applicationId, placement, keptSince, databases } = step
  if (keptSince === null) return 'done'
  for (const db of databases) await raiseFence(db, applicationId)
  return { stage: 'columns', keptSince, placement, database: 0, after: 0 }
}

async function dropFromColumns({ applicationId, db, objectsOf }: Retaining): Promise<Partial<RetentionProgress>> {
  for (const object of objectsOf(await readLayouts(db, applicationId))) {
    const isDropped = await object.keepFrom()
    if (!isDropped) return {}
  }
  return { stage: 'events' }
}

/** Deletes some old events of one database, last, and their ids in all of them: each has the ids of all if the application was moved. */
async function deleteOldEvents(db: BatchDatabase, step: Retaining, limit: number): Promise<number> {
  const { applicationId, note, databases, fencedBatch } = step
  const keys = await selectOldEvents(db, { applicationId, before: note.keptSince, limit })
  if (keys.length === 0) return 0
  const rows = theseEvents(keys)
  for (const other of databases) {
    if (other === db) continue
    const batch = await fencedBatch(other)
    await batch(deleteIds(other, applicationId, rows))
  }
  const batch = await fencedBatch(db)
  await batch([...rememberFirsts(db, applicationId, rows), ...deleteEvents(db, applicationId, rows)])
  return keys.length
}

/** Tells the objects whose users are in this database that notes of first events have been written. */
async function tellObjects(db: BatchDatabase, { applicationId, note, now, fencedBatch }: Retaining): Promise<void> {
  const { placement, database } = note
  const number = [...new Set(placement)][database]
  const slots = partsOf(MAX_OBJECTS).filter((slot) => databaseOf(placement, slot) === number)
  const batch = await fencedBatch(db)
  const users = { slots, from: 0, to: Number.MAX_SAFE_INTEGER }
  await batch([markRemembered(db, { applicationId, ...users, now: now() })])
}
