import { logError } from '../log.ts'
import type { Database } from '../storage/database.ts'
import { withTimeout } from '../time/with-timeout.ts'
import { countDirtyApplications, markNextDays, selectDirtyApplications, selectNewestApplication } from './sql.ts'

type Rollups = Env['APPLICATIONS']

/** An object answers from its own storage, so one that takes longer than this counts as failed. */
const WAKE_TIMEOUT_MS = 5_000

/** Wakes the objects of these applications. One that does not answer is woken by the next cron. Never throws. */
export async function wakeRollups(applicationIds: Iterable<number>, rollups: Rollups): Promise<void> {
  const calls = [...new Set(applicationIds)].map((id) =>
    withTimeout(rollups.getByName(String(id)).wake(id), WAKE_TIMEOUT_MS),
  )
  const outcomes = await Promise.allSettled(calls)
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed) logError('rollup not woken', failed.reason)
}

/** A Worker may make 1,000 calls an invocation. */
const MAX_CALLS = 800

export interface Waking {
  readonly db: Database
  readonly rollups: Rollups
  /** Milliseconds since 1970 UTC. */
  readonly now: number
}

/**
 * Wakes the objects of applications that have dirty days: a wake-up may have been lost. Where there are too many of them for
 * one invocation, each one has its own part of them.
 */
export async function wakeDirty({ db, rollups, now }: Waking): Promise<void> {
  const [dirty] = await countDirtyApplications(db)
  const parts = Math.max(1, Math.ceil((dirty?.count ?? 0) / MAX_CALLS))
  const part = Math.floor(now / CRON_MS) % parts
  const rows = await selectDirtyApplications(db, { limit: MAX_CALLS, offset: part * MAX_CALLS })
  await wakeRollups(
    rows.map(({ applicationId }) => applicationId),
    rollups,
  )
}

/** How often cron wakes. */
const CRON_MS = 5 * 60_000

const APPLICATIONS_PER_STATEMENT = 10_000

/**
 * Asks for tomorrow's figures of every application that has users who may stay away: its monthly active users fall though
 * nothing happens. A day ahead, and where days are missing from the first of them on, so that a lost run is made up for.
 */
export async function openTomorrow(today: number, waking: Waking): Promise<void> {
  const { db, now } = waking
  const [newest] = await selectNewestApplication(db)
  for (let from = 1; from <= (newest?.id ?? 0); from += APPLICATIONS_PER_STATEMENT) {
    await markNextDays(db, { today, from, to: from + APPLICATIONS_PER_STATEMENT, now })
  }
  await wakeDirty(waking)
}
