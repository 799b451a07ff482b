import { logError } from '../../base/log.ts'
import { raiseFence } from '../../collection/fences/fence.ts'
import { openActivity, type Placement } from '../../storage/activity.ts'
import { type Database, openDatabase } from '../../storage/database.ts'
import { addOnlyJobs, giveUpJobs } from '../jobs/jobs.ts'
import { wakeForJobs } from '../jobs/wake.ts'
import { FIRST_PROGRESS } from './progress.ts'
import { deleteFromDirectory } from './sql.ts'

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
