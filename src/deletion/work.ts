import { raiseFence } from '../fences/fence.ts'
import type { Work, Working } from '../jobs/job.ts'
import { readLayouts } from '../objects/layouts.ts'
import { keysOf, nameOfObject } from '../objects/object-name.ts'
import { boundDatabases, openActivity } from '../storage/activity.ts'
import type { BatchDatabase } from '../storage/database.ts'
import type { Progress } from './progress.ts'
import { ACTIVITY_TABLES, deleteFigures, deleteLetters } from './sql.ts'

interface Portion {
  readonly applicationId: number
  readonly progress: Progress
  readonly databases: readonly BatchDatabase[]
  readonly working: Working
}

/** Deletes what is left of an application that the directory does not know any more. */
export const deleteWork: Work = async (job, working) => {
  const progress = job.progress as Progress
  const databases = [...openActivity(working.env, boundDatabases(working.env)).values()]
  return STAGES[progress.stage]({ applicationId: job.applicationId, progress, databases, working })
}

const STAGES: Readonly<Record<Progress['stage'], (portion: Portion) => Promise<Progress | 'done'>>> = {
  async objects(portion) {
    const { applicationId, progress, databases, working } = portion
    const layouts = new Set([1])
    for (const db of databases) await raiseFence(db, applicationId)
    for (const db of [working.db, ...databases]) {
      for (const objects of await readLayouts(db, applicationId)) layouts.add(objects)
    }
    const next = { ...progress, layouts: [...layouts] }
    await dropColumns({ ...portion, progress: next })
    return { ...next, stage: 'rows' }
  },
  async rows({ applicationId, progress, databases, working }) {
    const deleted = await deleteSome(progress.table, { applicationId, databases, directory: working.db })
    if (deleted === null) return { ...progress, stage: 'rest' }
    return deleted < ROWS_AT_ONCE ? { ...progress, table: progress.table + 1 } : progress
  },
  async rest(portion) {
    await deleteLetters(portion.working.db, portion.applicationId)
    await dropColumns(portion)
    return 'done'
  },
}

const ROWS_AT_ONCE = 1_000

interface Rows {
  readonly applicationId: number
  readonly databases: readonly BatchDatabase[]
  readonly directory: BatchDatabase
}

/** Null where no table is left. */
async function deleteSome(table: number, { applicationId, databases, directory }: Rows): Promise<number | null> {
  const db = databases[Math.floor(table / ACTIVITY_TABLES.length)]
  const deleteRows = db ? ACTIVITY_TABLES[table % ACTIVITY_TABLES.length] : deleteFigures
  if (table > databases.length * ACTIVITY_TABLES.length || !deleteRows) return null
  return deleteRows(db ?? directory, applicationId, ROWS_AT_ONCE)
}

async function dropColumns({ applicationId, progress: { layouts }, working }: Portion): Promise<void> {
  const keys = layouts.flatMap((objects) => keysOf({ applicationId, objects }))
  for (const key of keys) await working.env.APPLICATIONS.getByName(nameOfObject(key)).drop(key)
}
