import { keptFromIn } from '../../accounts/applications/kept.ts'
import { logError } from '../../base/log.ts'
import { calendarOf } from '../../base/time/calendar.ts'
import { readFences, requireFence } from '../../collection/fences/fence.ts'
import { bindingOf, openActivity } from '../../storage/activity.ts'
import { columnsObject } from '../../storage/application-objects.ts'
import { type BatchDatabase, type Database, openDatabase, type TransactionalDatabase } from '../../storage/database.ts'
import { keysOf, type Partitioning } from '../../storage/object-name.ts'
import { addIn } from './changing.ts'
import {
  dropPartitioning,
  dropPartitioningIn,
  type Filling,
  promote,
  selectFilling,
  selectReadiness,
  selectRetired,
  selectWhetherRetired,
} from './sql.ts'

// How the partitioning of an application changes, the number of its objects or the time zone whose days they count by, while it is
// asked and sent to. The directory says which partitionings there are and which one answers; each activity database of the application
// has the same rows, so that deliveries know what to mark:
//
// 1. A request or a command (`changing.ts`) adds the new partitioning in the directory, in one statement only if no other one is being
//    filled and the application does not move; then in each activity database, and with it for each object that reads it a change of all
//    time. From then on every delivery marks changes of both partitionings, in the batch that stores the events. So each event is either
//    in the pass over everything or has a change. What an object read before that change it forgets, and nothing lets a partitioning
//    answer that is not in each of the databases.
// 2. The new objects read everything, then their changes, and write their daily figures. The old ones answer.
// 3. Here: once they are up to date in all databases, the application's row names the new partitioning and its zone, and the old one is
//    retired, in one transaction of the directory. The first kept day becomes the first that is whole in the new zone. What was stored a
//    moment before has changes of the new objects, and each answer says in figures-as-of how far it is.
// 4. The old partitioning is updated until no cached key names it any more. Then its columns, changes and figures are dropped: in the
//    objects first, in the activity databases then, in the directory last. As long as that has its row, it is not added again; when it
//    is, fences are raised (`fences/fence.ts`), so that a cron that comes late drops nothing.
//
// After a crash between any two steps the next cron goes on where this one was. It also adds a partitioning in the databases that lack it.

/** A partitioning takes over when nothing older waits to be read, so that no answer jumps back in time by more. */
const MOST_BEHIND_MS = 60_000
/** Copies of an application's partitioning live for `COPY_SECONDS`, in KV for two minutes. */
const KEEP_RETIRED_MS = 10 * 60_000
/** A Worker may make 1,000 calls an invocation; a partitioning takes up to 17 here. */
const PARTITIONINGS_AT_ONCE = 8

/** The number of filling partitionings that one run checks. */
const MOST_FILLING = 100

interface Changing {
  readonly env: Env
  /** The directory. */
  readonly db: BatchDatabase
  readonly namespace: Env['APPLICATIONS']
  /** Milliseconds since 1970 UTC. */
  readonly now: number
}

/** Lets partitionings that are ready take over, and drops those that were retired. Returns how many. */
export async function changePartitionings(changing: Changing): Promise<{ promoted: number; dropped: number }> {
  const { db, now } = changing
  const ready = (await findReady(changing)).slice(0, PARTITIONINGS_AT_ONCE)
  for (const filling of ready) await takeOver(db, filling, now)
  let dropped = 0
  for (const partitioning of await selectRetired(db, { before: now - KEEP_RETIRED_MS, limit: PARTITIONINGS_AT_ONCE })) {
    if (await drop(partitioning, changing)) dropped += 1
  }
  return { promoted: ready.length, dropped }
}

/** Lets a partitioning answer; a second time it changes nothing. */
export async function takeOver(
  db: TransactionalDatabase,
  filling: Omit<Filling, 'databases'>,
  now: number,
): Promise<void> {
  const { keptFrom, servingZone, timeZone } = filling
  const keptFromThen = keptFromIn(calendarOf(timeZone), { keptFrom, timeZone: servingZone })
  await db.batch(promote(db, { ...filling, keptFromThen, now }))
}

/** The partitioning of an application that is being filled; null if there is none. */
export async function findFilling(directory: Database, applicationId: number): Promise<Filling | null> {
  const [filling] = await selectFilling(directory, { limit: 1, applicationId })
  return filling ?? null
}

/** Finds the partitionings that are ready in each database of their application. */
async function findReady({ env, db, now }: Changing): Promise<Filling[]> {
  let ready = await selectFilling(db, { limit: MOST_FILLING })
  const numbers = new Set(ready.flatMap(({ databases }) => databases))
  for (const number of numbers) {
    const here = ready.filter(({ databases }) => databases.includes(number))
    const found = await readyIn(number, here, { env, now })
    ready = ready.filter((partitioning) => !here.includes(partitioning) || found.has(nameOf(partitioning)))
  }
  return ready
}

/** In a database that is away none is ready, nor is one that it does not know yet: then it is added. */
async function readyIn(
  number: number,
  wanted: readonly Filling[],
  { env, now }: Pick<Changing, 'env' | 'now'>,
): Promise<ReadonlySet<string>> {
  try {
    const db = openDatabase(bindingOf(env, number))
    const known = await selectReadiness(db, wanted, { upTo: now - MOST_BEHIND_MS })
    const names = new Set(known.map(nameOf))
    for (const filling of wanted.filter((one) => !names.has(nameOf(one))))
      await addIn([number], filling, { open: () => db, now })
    return new Set(known.filter(({ isReady }) => isReady).map(nameOf))
  } catch (error) {
    logError('partitionings not looked at', error, { database: number })
    return new Set()
  }
}

function nameOf({ applicationId, objects }: Partitioning): string {
  return `${applicationId}/${objects}`
}

type Retired = Awaited<ReturnType<typeof selectRetired>>[number]

/** Drops a partitioning. Until everything has answered, its row in the directory says that there is something to drop. */
async function drop(partitioning: Retired, { env, db, namespace }: Changing): Promise<boolean> {
  const calls = keysOf(partitioning).map((key) => columnsObject(key, namespace).retire())
  const outcomes = await Promise.allSettled(calls)
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed) {
    logError('columns not dropped yet', failed.reason, { application: partitioning.applicationId })
    return false
  }
  try {
    for (const [number, activity] of openActivity(env, partitioning.databases ?? [])) {
      if (number === 1) continue
      const { applicationId } = partitioning
      const fence = (await readFences(activity, [applicationId])).get(applicationId) ?? 0
      if ((await selectWhetherRetired(db, partitioning)).length === 0) return false
      await activity.batch([
        requireFence(activity, applicationId, fence),
        ...dropPartitioningIn(activity, partitioning),
      ])
    }
    await db.batch(dropPartitioning(db, partitioning))
    return true
  } catch (error) {
    logError('partitioning not dropped yet', error, { application: partitioning.applicationId })
    return false
  }
}
