import { readLayouts } from '../../accounts/applications/placement.ts'
import { raiseFence } from '../../collection/fences/fence.ts'
import type { Placement } from '../../storage/activity.ts'
import type { BatchDatabase } from '../../storage/database.ts'
import { deleteEvents, deleteIds, deleteRows, theseEvents } from '../jobs/jobs.ts'
import { isIn, type JobStep, type StepWork, walk, workOf } from '../jobs/plan.ts'
import { oldSessions, selectOldEvents, selectUserAfter } from './sql.ts'

// What is older than an application keeps goes in this order:
//
// 1. Cron notes in the directory from which day on events are kept.
// 2. The fences are raised: from then on nothing older is stored (see `fences/fence.ts`).
// 3. Objects drop it from their columns, and read none of it any more.
// 4. Its rows are deleted. No changes are marked for that, as no object knows them any more.
//
// Daily figures and users stay, and so do names and contexts, whose ids must not be given again.

/**
 * How far the deleting of an application's old events is; nothing of it where the job has not begun.
 *
 * - `columns`: objects drop them from their columns.
 * - `events`: events are deleted in one of the databases.
 * - `sessions`: sessions are, in the same one; then it is the next one's turn.
 */
interface RetentionProgress {
  readonly stage: 'columns' | 'events' | 'sessions'
  /** What the directory said when it began. Where it says something else by now, it begins anew. */
  readonly keptFrom: number
  readonly placement: Placement
  /** Which one of the placement's databases, in their order. */
  readonly database: number
  /** Sessions of users up to this messenger id were looked at. */
  readonly after: number
}

/** Events or sessions that a step deletes at most. */
const ROWS = 1_000
/** So many times as many sessions it looks at. */
const LOOKED_AT = 25

type Retaining = JobStep<RetentionProgress>

/** Deletes what is older than an application keeps, so many rows at a time. */
export function retainBy(rows: number) {
  const eachDatabase = (
    page: (db: BatchDatabase, step: Retaining) => Promise<Partial<RetentionProgress>>,
  ): StepWork<RetentionProgress> =>
    walk('database', { tasks: ({ databases }) => databases, page, end: async () => 'done' })
  return workOf<RetentionProgress, RetentionProgress['stage']>({
    stageOf: ({ stage }) => stage,
    isCurrent: ({ keptFrom, placement }, application) =>
      isIn(application, placement) && keptFrom === application?.keptFrom,
    otherwise: begin,
    steps: {
      columns: dropFromColumns,
      events: eachDatabase(async (db, step) => {
        const deleted = await deleteOldEvents(db, step, rows)
        return deleted < rows ? { stage: 'sessions', after: 0 } : {}
      }),
      sessions: eachDatabase(async (db, { applicationId, note, hold }) => {
        const { keptFrom: before, database, after } = note
        const upTo = await selectUserAfter(db, { applicationId, after, count: rows * LOOKED_AT })
        const old = oldSessions({ applicationId, before, after, upTo, limit: rows })
        const batch = await hold(db)
        const [{ meta }] = await batch([deleteRows(db, old)])
        if (meta.changes === rows) return {}
        return upTo === null ? { stage: 'events', database: database + 1 } : { after: upTo }
      }),
    },
  })
}

export const retain = retainBy(ROWS)

async function begin(step: Retaining): Promise<Partial<RetentionProgress> | 'done'> {
  const { applicationId, placement, keptFrom, databases } = step
  if (keptFrom === null) return 'done'
  for (const db of databases) await raiseFence(db, applicationId)
  return { stage: 'columns', keptFrom, placement, database: 0, after: 0 }
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
  const { applicationId, note, databases, hold } = step
  const keys = await selectOldEvents(db, { applicationId, before: note.keptFrom, limit })
  if (keys.length === 0) return 0
  const rows = theseEvents(keys)
  for (const other of databases) {
    if (other === db) continue
    const batch = await hold(other)
    await batch([deleteIds(other, applicationId, rows)])
  }
  const batch = await hold(db)
  await batch(deleteEvents(db, applicationId, rows))
  return keys.length
}
