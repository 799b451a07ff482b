import { deleteExpired } from './accounts/sessions.ts'
import { resealPrivateKeys } from './applications/reseal.ts'
import { resendDeadLetters } from './dead-letters/resending.ts'
import { forgetErasures } from './erasure/erase.ts'
import { wakeAllForJobs } from './jobs/wake.ts'
import { logJob } from './log.ts'
import { changeLayouts } from './objects/layouts.ts'
import { beginRetaining } from './retention/due.ts'
import { openTomorrow, wakeChanged } from './rollups/wake.ts'
import { openDatabase } from './storage/database.ts'
import { tellFill } from './storage/fill.ts'
import { dayOf } from './time/days.ts'

/** Returns the figures for its line in the log. */
type Job = (env: Env, scheduledTime: number) => Promise<Readonly<Record<string, number>>>

/** What each cron expression of wrangler.toml does. */
const JOBS: Readonly<Record<string, Job>> = {
  '*/5 * * * *': async (env, now) => {
    const db = openDatabase(env.DB)
    await wakeChanged({ env, now })
    const layouts = await changeLayouts({ env, db, namespace: env.APPLICATIONS, now })
    const jobs = await wakeAllForJobs(db, env.APPLICATIONS)
    const resealed = await resealPrivateKeys({ db, secrets: env.KEY_SEALING_SECRET })
    await tellFill(env)
    return { ...layouts, jobs, ...resealed, ...(await resendDeadLetters(db, env.EVENTS)) }
  },
  '2 */6 * * *': async (env, now) => {
    const db = openDatabase(env.DB)
    await openTomorrow(dayOf(now), { db, namespace: env.APPLICATIONS, now })
    const expired = { ...(await deleteExpired(db, now)), erasures: await forgetErasures(db, now) }
    const retaining = await beginRetaining(db, now)
    if (retaining > 0) await wakeAllForJobs(db, env.APPLICATIONS)
    return { ...expired, retaining }
  },
}

/** The cron expressions that have a job. */
export const CRONS = Object.keys(JOBS)

export async function runJob({ cron, scheduledTime }: ScheduledController, env: Env): Promise<void> {
  const job = JOBS[cron]
  if (!job) throw new Error(`No job for the cron expression "${cron}"`)
  await logJob('cron', () => job(env, scheduledTime), { cron })
}
