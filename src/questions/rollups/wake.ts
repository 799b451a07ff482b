import { logError } from '../../base/log.ts'
import { bindingOf, boundDatabases } from '../../storage/activity.ts'
import { columnsObject } from '../../storage/application-objects.ts'
import { type Database, openDatabase } from '../../storage/database.ts'
import type { ObjectKey } from '../../storage/object-name.ts'
import { readCurrentDays } from './current-days.ts'
import { countChanged, selectBehind, selectChanged, selectDue, selectNewestApplication } from './sql.ts'

type Namespace = Env['APPLICATIONS']

/** Wakes objects. One that does not respond is woken by the next cron run. Never throws. */
export async function wakeObjects(keys: readonly ObjectKey[], namespace: Namespace): Promise<void> {
  const calls = keys.map((key) => columnsObject(key, namespace).wake())
  const outcomes = await Promise.allSettled(calls)
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed) logError('object not woken', failed.reason)
}

/** The most objects woken at once: a Worker may make 1,000 calls per invocation. */
const MAX_CALLS = 800

export interface Waking {
  readonly db: Database
  readonly namespace: Namespace
  /** The moment of the run, in milliseconds since 1970 UTC. */
  readonly now: number
}

/**
 * Wakes the objects with changes in any database, whose wake-up may have been lost. If they are too many for one
 * invocation, each invocation wakes a share of them. A database that is unavailable does not keep others' objects from
 * being woken.
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

/** Counts the objects with changes in a database. */
async function countIn(number: number, env: Env): Promise<{ readonly db: Database; readonly count: number }> {
  const db = openDatabase(bindingOf(env, number))
  const [changed] = await countChanged(db).catch(notWoken)
  return { db, count: changed?.count ?? 0 }
}

/** Counts the objects that have not read something stored before a moment. */
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

/** How often cron wakes objects with changes, and objects without figures of tomorrow. */
const CHANGED_EVERY_MS = 5 * 60_000
const DUE_EVERY_MS = 6 * 60 * 60_000

const APPLICATIONS_PER_STATEMENT = 10_000

/**
 * Wakes the objects that have monthly active users and no figures of tomorrow yet: even without events, these users
 * become fewer. Tomorrow is that of each one's time zone. A day ahead, a lost run can be made up for; figures that are
 * still missing are counted when they are asked for.
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
