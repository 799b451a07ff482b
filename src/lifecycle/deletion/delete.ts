import { readLayouts } from '../../accounts/applications/placement.ts'
import { logError } from '../../base/log.ts'
import { raiseFence } from '../../collection/fences/fence.ts'
import { openActivity, type Placement } from '../../storage/activity.ts'
import { type Database, openDatabase } from '../../storage/database.ts'
import { addOnlyJobs, deleteRows, giveUpJobs } from '../jobs/jobs.ts'
import { type JobStep, walk, workOf } from '../jobs/plan.ts'
import { wakeForJobs } from '../jobs/wake.ts'
import { ACTIVITY_TABLES, deleteDeadLetters, deleteFromDirectory, FIGURES, leftOver } from './sql.ts'

export interface Doomed {
  readonly id: number
  readonly accountId: string
  readonly databases: Placement
}

/** The statements that take an application out of the directory, for one batch: its handle is free then, its keys are gone, the rest is a job. */
export function forgetApplication(directory: Database, { id, accountId }: Omit<Doomed, 'databases'>, now: number) {
  return [
    giveUpJobs(directory, id),
    addOnlyJobs(directory, [id], { kind: 'delete', progress: FIRST_PROGRESS, now }),
    ...deleteFromDirectory(directory, { applicationId: id, accountId }),
  ] as const
}

/** Takes an application out of the directory and lets its object delete the rest. */
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
 * How far the deletion of an application is.
 *
 * - `objects`: fences are raised, and its objects drop their columns.
 * - `rows`: rows go, table by table of each database that there is, then its figures.
 * - `rest`: its dead letters go, and objects drop what was asked for meanwhile by somebody who still knew a key.
 */
interface DeletionProgress {
  readonly stage: 'objects' | 'rows' | 'rest'
  /** Over how many objects its users were spread: all numbers that there were columns of. */
  readonly layouts: readonly number[]
  /** Which of the tables is next. */
  readonly table: number
}

/** Of a deletion that has not begun. */
export const FIRST_PROGRESS: DeletionProgress = { stage: 'objects', layouts: [], table: 0 }

const ROWS_AT_ONCE = 1_000

/** Deletes what is left of an application that the directory does not know any more. */
export const deleteWork = workOf<DeletionProgress, DeletionProgress['stage']>({
  stageOf: ({ stage }) => stage,
  isCurrent: (_, application) => application === null,
  async otherwise({ applicationId }) {
    logError('application not deleted', 'the directory knows it', { application: applicationId })
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
      async page({ db, table }, { applicationId, note, hold }) {
        const batch = await hold(db)
        const [{ meta }] = await batch([deleteRows(db, leftOver(table, applicationId, ROWS_AT_ONCE))])
        return meta.changes < ROWS_AT_ONCE ? { table: note.table + 1 } : {}
      },
      end: async () => ({ stage: 'rest' }),
    }),
    async rest(step) {
      const { applicationId, note, db, hold } = step
      const batch = await hold(db)
      await batch([deleteDeadLetters(db, applicationId)])
      await dropColumns(step, note.layouts)
      return 'done'
    },
  },
})

async function dropColumns({ objectsOf }: JobStep<DeletionProgress>, layouts: readonly number[]): Promise<void> {
  for (const object of objectsOf(layouts)) await object.drop()
}
