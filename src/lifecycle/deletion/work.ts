import { findKeeping, readLayouts } from '../../accounts/applications/placement.ts'
import { logError } from '../../base/log.ts'
import { raiseFence } from '../../collection/fences/fence.ts'
import { boundDatabases, openActivity } from '../../storage/activity.ts'
import { columnsObject } from '../../storage/application-objects.ts'
import type { BatchDatabase } from '../../storage/database.ts'
import { keysOf } from '../../storage/object-name.ts'
import type { Work, Working } from '../jobs/job.ts'
import { deletePage } from '../rows/deleting.ts'
import type { DeletionProgress } from './progress.ts'
import { ACTIVITY_TABLES, DIRECTORY_TABLES, deleteDeadLetters, leftOver } from './sql.ts'

interface Step {
  readonly applicationId: number
  readonly progress: DeletionProgress
  readonly databases: readonly BatchDatabase[]
  readonly working: Working
}

/** Deletes what is left of an application that the directory does not know any more. */
export const deleteWork: Work = async (job, working) => {
  const progress = job.progress as DeletionProgress
  if (await findKeeping(working.db, job.applicationId)) {
    logError('application not deleted', 'the directory knows it', { application: job.applicationId })
    return 'done'
  }
  const databases = [...openActivity(working.env, boundDatabases(working.env)).values()]
  return STEPS[progress.stage]({ applicationId: job.applicationId, progress, databases, working })
}

const STEPS: Readonly<Record<DeletionProgress['stage'], (step: Step) => Promise<DeletionProgress | 'done'>>> = {
  async objects(step) {
    const { applicationId, progress, databases, working } = step
    const layouts = new Set([1])
    for (const db of databases) await raiseFence(db, applicationId)
    for (const db of [working.db, ...databases]) {
      for (const objects of await readLayouts(db, applicationId)) layouts.add(objects)
    }
    const next = { ...progress, layouts: [...layouts] }
    await dropColumns({ ...step, progress: next })
    return { ...next, stage: 'rows' }
  },
  async rows({ applicationId, progress, databases, working }) {
    const activity = databases.flatMap((db) => ACTIVITY_TABLES.map((table) => ({ db, table })))
    const directory = DIRECTORY_TABLES.map((table) => ({ db: working.db, table }))
    const next = [...activity, ...directory][progress.table]
    if (!next) return { ...progress, stage: 'rest' }
    const deleted = await deletePage(next.db, leftOver(next.table, applicationId, ROWS_AT_ONCE))
    return deleted < ROWS_AT_ONCE ? { ...progress, table: progress.table + 1 } : progress
  },
  async rest(step) {
    await deleteDeadLetters(step.working.db, step.applicationId)
    await dropColumns(step)
    return 'done'
  },
}

const ROWS_AT_ONCE = 1_000

async function dropColumns({ applicationId, progress: { layouts }, working }: Step): Promise<void> {
  const keys = layouts.flatMap((objects) => keysOf({ applicationId, objects }))
  for (const key of keys) await columnsObject(key, working.env.APPLICATIONS).drop()
}
