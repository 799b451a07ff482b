import { forgetActs } from './access/audit.ts'
import { deleteExpired } from './access/sessions.ts'
import { ERASURE_KEYS, PRIVATE_KEYS, reseal } from './accounts/applications/reseal.ts'
import { logJob } from './base/log.ts'
import { forgetDeadLetters, resendDeadLetters } from './collection/dead-letters/dead-letters.ts'
import { keyErasures } from './collection/erased-users/noting.ts'
import { wakeAllForJobs } from './lifecycle/jobs/jobs.ts'
import { changePartitionings } from './lifecycle/partitionings/promoting.ts'
import { beginRetaining } from './lifecycle/retention/due.ts'
import { enqueueDue, forgetDeliveries } from './notifications/due.ts'
import { WEBHOOK_SECRETS } from './notifications/subscriptions.ts'
import { openTomorrow, wakeChanged } from './questions/rollups/wake.ts'
import { openDatabase } from './storage/database.ts'
import { logFills } from './storage/fill.ts'

/** Returns the figures for its line in the log. */
type Job = (env: Env, scheduledTime: number) => Promise<Readonly<Record<string, number>>>

/** What each cron expression of wrangler.toml does. */
const JOBS: Readonly<Record<string, Job>> = {
  '*/5 * * * *': async (env, now) => {
    const db = openDatabase(env.DB)
    await wakeChanged({ env, now })
    const layouts = await changePartitionings({ env, db, namespace: env.APPLICATIONS, now })
    const jobs = await wakeAllForJobs(db, env.APPLICATIONS)
    const sealing = { db, secrets: env.KEY_SEALING_SECRET }
    const resealed = await reseal(PRIVATE_KEYS, sealing)
    for (const { resealed: more, unopened } of [
      await reseal(ERASURE_KEYS, sealing),
      await reseal(WEBHOOK_SECRETS, sealing),
    ]) {
      resealed.resealed += more
      resealed.unopened += unopened
    }
    await logFills(env)
    return { ...layouts, jobs, ...resealed, ...(await resendDeadLetters(db, env)), ...(await enqueueDue(env, now)) }
  },
  '2 */6 * * *': async (env, now) => {
    const db = openDatabase(env.DB)
    await openTomorrow({ db, namespace: env.APPLICATIONS, now })
    const expired = { ...(await deleteExpired(db, now)), acts: await forgetActs(db, now) }
    const keyed = await keyErasures({ db, secrets: env.KEY_SEALING_SECRET })
    const messages = await forgetDeliveries(env, now)
    const letters = await forgetDeadLetters(db, now)
    const retaining = await beginRetaining(db, now)
    if (retaining > 0) await wakeAllForJobs(db, env.APPLICATIONS)
    return { ...expired, ...keyed, messages, letters, retaining }
  },
}

/** The cron expressions that have a job. */
export const CRONS = Object.keys(JOBS)

export async function runJob({ cron, scheduledTime }: ScheduledController, env: Env): Promise<void> {
  const job = JOBS[cron]
  if (!job) throw new Error(`No job for the cron expression "${cron}"`)
  await logJob('cron', () => job(env, scheduledTime), { cron })
}
