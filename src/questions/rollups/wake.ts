import { logError } from '../../base/log.ts'
import { bindingOf, boundDatabases } from '../../storage/activity.ts'
import { columnsObject } from '../../storage/application-objects.ts'
import { type Database, openDatabase } from '../../storage/database.ts'
import type { ObjectKey } from '../../storage/object-name.ts'
import { readCurrentDays } from './current-days.ts'
import { countChanged, selectBehind, selectChanged, selectDue, selectNewestApplication } from './sql.ts'

type Namespace = Env['APPLICATIONS']

/** Wakes these objects. One that does not answer is woken by the next cron. Never throws. */
export async function wakeObjects(keys: readonly ObjectKey[], namespace: Namespace): Promise<void> {
  const calls = keys.map((key) => columnsObject(key, namespace).wake())
  const outcomes = await Promise.allSettled(calls)
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed) logError('object not woken', failed.reason)
}

/** A Worker may make 1,000 calls an invocation. */
const MAX_CALLS = 800

export interface Waking {
  readonly db: Database
  readonly namespace: Namespace
  /** Milliseconds since 1970 UTC. */
  readonly now: number
}

/**
 * Wakes the objects that have changes in any database: a wake-up may have been lost. Where there are too many of them for one
 * invocation, each one has its own share of them. A database that is away keeps nobody else from being woken.
 */
export async function wakeChanged({ env, now }: { readonly env: Env; readonly now: number }): Promise<void> {
  const counted = await Promise.all(boundDatabases(env).map((number) => countIn(number, env)))
  const shares = Math.max(1, Math.ceil(counted.reduce((sum, { count }) => sum + count, 0) / MAX_CALLS))
  const share = Math.floor(now / CHANGED_EVERY_MS) % shares
  for (const { db, count } of counted) {
    const limit = Math.ceil(count / shares)
    const keys = limit === 0 ? [] : await selectChanged(db, { limit, offset: share * limit }).catch(notWoken)
    await wakeObjects(keys, env.APPLICATIONS)
  }
}

/** The objects that a database has changes of. */
async function countIn(number: number, env: Env): Promise<{ readonly db: Database; readonly count: number }> {
  const db = openDatabase(bindingOf(env, number))
  const [changed] = await countChanged(db).catch(notWoken)
  return { db, count: changed?.count ?? 0 }
}

/** Counts the objects that have not read something that a database stored before a moment. */
export async function countBehind(
  number: number,
  { env, before }: { readonly env: Env; readonly before: number },
): Promise<number> {
  const [behind] = await selectBehind(openDatabase(bindingOf(env, number)), before)
  return behind?.count ?? 0
}

function notWoken(error: unknown): [] {
  logError('objects with changes not woken', error)
  return []
}

/** How often cron wakes what has changes, and what lacks tomorrow. */
const CHANGED_EVERY_MS = 5 * 60_000
const DUE_EVERY_MS = 6 * 60 * 60_000

const APPLICATIONS_PER_STATEMENT = 10_000

/**
 * Wakes the objects that have users who may stay away, and no figures of tomorrow yet: their monthly active users fall though
 * nothing happens. Tomorrow is by each one's own time zone. A day ahead, so that a lost run is made up for; what none gets to in time is counted when it is asked for.
 */
export async function openTomorrow({ db, namespace, now }: Waking): Promise<void> {
  const due: ObjectKey[] = []
  const today = await readCurrentDays(db, now)
  const [newest] = await selectNewestApplication(db)
  for (let from = 1; from <= (newest?.id ?? 0); from += APPLICATIONS_PER_STATEMENT) {
    due.push(...(await selectDue(db, { today, from, to: from + APPLICATIONS_PER_STATEMENT })))
  }
  const shares = Math.max(1, Math.ceil(due.length / MAX_CALLS))
  const share = Math.floor(now / DUE_EVERY_MS) % shares
  await wakeObjects(due.slice(share * MAX_CALLS, (share + 1) * MAX_CALLS), namespace)
}
