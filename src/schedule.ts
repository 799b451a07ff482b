import { logJob } from './log.ts'
import { openTomorrow, wakeDirty } from './rollups/wake.ts'
import { openDatabase } from './storage/database.ts'
import { dayOf } from './time/days.ts'

type Job = (env: Env, scheduledTime: number) => Promise<void>

/** What each cron expression of wrangler.toml does. */
const JOBS: Readonly<Record<string, Job>> = {
  '*/5 * * * *': (env, now) => wakeDirty({ db: openDatabase(env.DB), rollups: env.ROLLUPS, now }),
  '2 */6 * * *': (env, now) => openTomorrow(dayOf(now), { db: openDatabase(env.DB), rollups: env.ROLLUPS, now }),
}

/** The cron expressions that have a job. */
export const CRONS = Object.keys(JOBS)

export async function runJob({ cron, scheduledTime }: ScheduledController, env: Env): Promise<void> {
  const job = JOBS[cron]
  if (!job) throw new Error(`No job for the cron expression "${cron}"`)
  await logJob('cron', () => job(env, scheduledTime).then(() => ({})), { cron })
}
