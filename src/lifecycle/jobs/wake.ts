import { logError } from '../../base/log.ts'
import { mainObject } from '../../storage/application-objects.ts'
import type { Database } from '../../storage/database.ts'
import { selectApplicationsWithJobs } from './sql.ts'

type Namespace = Env['APPLICATIONS']

/** A Worker may make 1,000 calls an invocation, and cron makes others. */
const WAKES_AT_ONCE = 100

/** Tells an application's main object that it has jobs. One that does not answer is told again by cron. Never throws. */
export async function wakeForJobs(applicationId: number, namespace: Namespace): Promise<void> {
  try {
    await mainObject(applicationId, namespace).workOnJobs()
  } catch (error) {
    logError('object not woken for its jobs', error, { application: applicationId })
  }
}

/** Wakes the objects of all applications that have jobs; returns how many. */
export async function wakeAllForJobs(db: Database, namespace: Namespace): Promise<number> {
  let woken = 0
  for (let after = 0; ; ) {
    const found = await selectApplicationsWithJobs(db, { after, limit: WAKES_AT_ONCE })
    await Promise.all(found.map(({ applicationId }) => wakeForJobs(applicationId, namespace)))
    woken += found.length
    const last = found.at(-1)
    if (!last || found.length < WAKES_AT_ONCE) return woken
    after = last.applicationId
  }
}
