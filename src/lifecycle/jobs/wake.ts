import { logError } from '../../base/log.ts'
import { mainObject } from '../../storage/application-objects.ts'
import type { Database } from '../../storage/database.ts'
import { selectApplicationsWithJobs } from './sql.ts'

type Namespace = Env['APPLICATIONS']

/** A Worker may make 1,000 calls an invocation, and cron makes others. */
const WAKES_AT_ONCE = 100

/** Wakes an application's main object for its jobs. Cron wakes it again if it does not answer. Never throws. */
export async function wakeForJobs(applicationId: number, namespace: Namespace): Promise<void> {
  try {
    await mainObject(applicationId, namespace).workOnJobs()
  } catch (error) {
    logError('object not woken for its jobs', error, { application: applicationId })
  }
}

/** Wakes the objects of all applications that have jobs; returns how many. */
export async function wakeAllForJobs(db: Database, namespace: Namespace): Promise<number> {
  const ids = (await selectApplicationsWithJobs(db)).map(({ applicationId }) => applicationId)
  for (let from = 0; from < ids.length; from += WAKES_AT_ONCE) {
    await Promise.all(ids.slice(from, from + WAKES_AT_ONCE).map((id) => wakeForJobs(id, namespace)))
  }
  return ids.length
}
