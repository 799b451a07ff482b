import { readLayouts } from '../../accounts/applications/placement.ts'
import { logError } from '../../base/log.ts'
import { deleteOfDeleted } from '../../collection/dead-letters/dead-letters.ts'
import { raiseFence } from '../../collection/fences/fence.ts'
import { openActivity, type Placement } from '../../storage/activity.ts'
import { type Database, openDatabase } from '../../storage/database.ts'
import { wakeForJobs } from '../jobs/jobs.ts'
import { type JobStep, walk, workOf } from '../jobs/plan.ts'
import { addOnlyJobs, deleteRows, giveUpJobs } from '../jobs/statements.ts'
import { ACTIVITY_TABLES, deleteFromDirectory, FIGURES, leftOver } from './sql.ts'

export interface Doomed {
  readonly id: number
  readonly accountId: string
  readonly databases: Placement
}

/** The statements that remove an application from the control data, for one batch: they free its handle, delete its keys and add the job. */
export function forgetApplication(directory: Database, { id, accountId }: Omit<Doomed, 'databases'>, now: number) {
  return [
    giveUpJobs(directory, id),
    addOnlyJobs(directory, [id], { kind: 'delete', progress: FIRST_PROGRESS, now }),
    ...deleteFromDirectory(directory, { applicationId: id, accountId, now }),
  ] as const
}

/** Removes an application from the control data and lets its object delete the rest. */
export async function beginDeleting(application: Doomed, { env, now }: { env: Env; now: number }): Promise<void> {
  const directory = openDatabase(env.DB, 'question')
  await directory.batch(forgetApplication(directory, application, now))
  for (const [number, db] of openActivity(env, application.databases)) {
    // The job does it again.
    await raiseFence(db, application.id).catch((error) => logError('fence not raised yet', error, { database: number }))
  }
  await wakeForJobs(application.id, env.APPLICATIONS)
}

/**
 * The progress of a deletion.
 *
 * - `objects`: raises fences, and objects drop their columns.
 * - `rows`: deletes rows, table by table in each bound database, then daily figures.
 * - `rest`: deletes dead letters, and objects drop the columns that questions with a cached key made meanwhile.
 */
interface DeletionProgress {
  readonly stage: 'objects' | 'rows' | 'rest'
  /** Its partitionings: each number of objects that had columns. */
  readonly layouts: readonly number[]
  readonly table: number
}

/** The progress of a deletion that has not begun. */
export const FIRST_PROGRESS: DeletionProgress = { stage: 'objects', layouts: [], table: 0 }

const ROWS_AT_ONCE = 1_000

/** Deletes what is left of an application that is gone from the control data. */
export const deleteWork = workOf<DeletionProgress, DeletionProgress['stage']>({
  stageOf: ({ stage }) => stage,
  isCurrent: (_, application) => application === null,
  async otherwise({ applicationId }) {
    logError('application not deleted', 'the control data still has it', { application: applicationId })
    return 'done'
  },
  steps: {
    async objects(step) {
      const { applicationId, databases, db: directory } = step
      const layouts = new Set([1])
      for (const db of databases) await raiseFence(db, applicationId)
      for (const db of [directory, ...databases]) {
        for (const objects of await readLayouts(db, applicationId)) layouts.add(objects)
      }
      await dropColumns(step, [...layouts])
      return { layouts: [...layouts], stage: 'rows' }
    },
    rows: walk('table', {
      tasks: ({ databases, db }) => [
        ...databases.flatMap((db) => ACTIVITY_TABLES.map((table) => ({ db, table }))),
        { db, table: FIGURES },
      ],
      async page({ db, table }, { applicationId, fencedBatch }) {
        const batch = await fencedBatch(db)
        const [{ meta }] = await batch([deleteRows(db, leftOver(table, applicationId, ROWS_AT_ONCE))])
        return { isLast: meta.changes < ROWS_AT_ONCE }
      },
      end: async () => ({ stage: 'rest' }),
    }),
    async rest(step) {
      const { applicationId, note, db, fencedBatch } = step
      const batch = await fencedBatch(db)
      await batch([deleteOfDeleted(db, applicationId)])
      await dropColumns(step, note.layouts)
      return 'done'
    },
  },
})

async function dropColumns({ objectsOf }: JobStep<DeletionProgress>, layouts: readonly number[]): Promise<void> {
  for (const object of objectsOf(layouts)) await object.drop()
}
