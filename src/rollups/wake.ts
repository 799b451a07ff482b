import { logError } from '../log.ts'
import type { Database } from '../storage/database.ts'
import { markNextDay, selectDirtyApplications } from './sql.ts'

type Rollups = Env['ROLLUPS']

const PAGE = 100
/** A Worker may make 1,000 calls an invocation; what is left has its turn at the next one. */
const MAX_PAGES = 8

/** Wakes the objects of these applications. One that cannot be reached is woken by the next cron. */
export async function wakeRollups(applicationIds: Iterable<number>, rollups: Rollups): Promise<void> {
  const calls = [...new Set(applicationIds)].map((id) => rollups.getByName(String(id)).wake(id))
  const outcomes = await Promise.allSettled(calls)
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed) logError('rollup not woken', failed.reason)
}

/** Wakes the objects of all applications that have dirty days: a wake-up may have been lost. */
export async function wakeDirty(db: Database, rollups: Rollups): Promise<void> {
  let after = 0
  for (let page = 0; page < MAX_PAGES; page++) {
    const rows = await selectDirtyApplications(db, { after, limit: PAGE })
    const ids = rows.map(({ applicationId }) => applicationId)
    await wakeRollups(ids, rollups)
    if (ids.length < PAGE) return
    after = ids.at(-1) ?? after
  }
}

const APPLICATIONS_PER_PAGE = 5_000

/**
 * Asks for tomorrow's figures of every application that has users who may stay away: its monthly active users fall though
 * nothing happens. A day ahead, and where days are missing from the first of them on, so that a lost run is made up for.
 */
export async function openTomorrow(today: number, { db, rollups, now }: Opening): Promise<void> {
  for (let page = 0; page < MAX_PAGES; page++) {
    const marked = await markNextDay(db, { today, limit: APPLICATIONS_PER_PAGE, now })
    if (marked.length < APPLICATIONS_PER_PAGE) break
  }
  await wakeDirty(db, rollups)
}

export interface Opening {
  readonly db: Database
  readonly rollups: Rollups
  readonly now: number
}
