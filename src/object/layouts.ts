import { logError } from '../base/log.ts'
import { readFences, requireFence } from '../collection/fences/fence.ts'
import { bindingOf, openActivity } from '../storage/activity.ts'
import { columnsObject } from '../storage/application-objects.ts'
import { type BatchDatabase, openDatabase } from '../storage/database.ts'
import { keysOf } from '../storage/object-name.ts'
import {
  dropLayout,
  dropLayoutIn,
  type Filling,
  type Layout,
  promote,
  selectFilling,
  selectReady,
  selectRetired,
  selectWhetherRetired,
} from './sql.ts'

// How the number of an application's objects changes while it is asked and sent to. The directory says which layouts there are
// and which one answers; each activity database of the application has the same rows, so that deliveries know what to mark:
//
// 1. A command adds the new layout in the directory, in one statement only if it is the only other one and the application does not
//    move; then in each activity database, and with it for each object that reads it a change of all time. From then on every
//    delivery marks changes of both layouts, in the batch that stores the events. So each event is either in the pass over
//    everything or has a change. What an object read before that change it forgets, and nothing lets a layout answer that is not
//    in each of the databases.
// 2. The new objects read everything, then their changes, and write their daily figures. The old ones answer.
// 3. Here: once they are up to date in all databases, `applications.objects` names the new layout and the old one is retired, in one
//    transaction of the directory. What was stored a moment before has changes of the new objects, and each answer says in
//    figures-as-of how far it is.
// 4. The old layout is kept up for longer than anybody remembers that it answers. Then its columns, changes and figures go: in the
//    objects first, in the activity databases then, in the directory last. As long as that has its row, it is not added again; when it
//    is, fences are raised (`fences/fence.ts`), so that a cron that comes late drops nothing.
//
// After a crash between any two steps the next cron goes on where this one was; the command, if it did not come to its end, is to be
// given once more, and then adds the layout in the databases that lack it.

/** A layout takes over when nothing older waits to be read, so that no answer jumps back in time by more. */
const MOST_BEHIND_MS = 60_000
/** Copies of `applications.objects` live for 75 seconds, in KV for 120. */
const KEEP_RETIRED_MS = 10 * 60_000
/** A Worker may make 1,000 calls an invocation; a layout takes up to 17 here. */
const LAYOUTS_AT_ONCE = 8

/** So many of those that are being filled are looked at. */
const MOST_FILLING = 100

interface Changing {
  readonly env: Env
  /** The directory. */
  readonly db: BatchDatabase
  readonly namespace: Env['APPLICATIONS']
  /** Milliseconds since 1970 UTC. */
  readonly now: number
}

/** Lets layouts that are ready take over, and drops those that were retired. Returns how many. */
export async function changeLayouts(changing: Changing): Promise<{ promoted: number; dropped: number }> {
  const { db, now } = changing
  const ready = (await findReady(changing)).slice(0, LAYOUTS_AT_ONCE)
  for (const layout of ready) await db.batch(promote(db, { ...layout, now }))
  let dropped = 0
  for (const layout of await selectRetired(db, { before: now - KEEP_RETIRED_MS, limit: LAYOUTS_AT_ONCE })) {
    if (await drop(layout, changing)) dropped += 1
  }
  return { promoted: ready.length, dropped }
}

/** Those that are ready in each database of their application. */
async function findReady({ env, db, now }: Changing): Promise<Filling[]> {
  let ready = await selectFilling(db, { limit: MOST_FILLING })
  const numbers = new Set(ready.flatMap(({ databases }) => databases))
  for (const number of numbers) {
    const here = ready.filter(({ databases }) => databases.includes(number))
    const found = await readyIn(number, here, { env, now })
    ready = ready.filter((layout) => !here.includes(layout) || found.has(nameOf(layout)))
  }
  return ready
}

/** In a database that is away none is ready. */
async function readyIn(
  number: number,
  wanted: readonly Layout[],
  { env, now }: Pick<Changing, 'env' | 'now'>,
): Promise<ReadonlySet<string>> {
  try {
    const db = openDatabase(bindingOf(env, number))
    return new Set((await selectReady(db, wanted, { upTo: now - MOST_BEHIND_MS })).map(nameOf))
  } catch (error) {
    logError('layouts not looked at', error, { database: number })
    return new Set()
  }
}

function nameOf({ applicationId, objects }: Layout): string {
  return `${applicationId}/${objects}`
}

type Retired = Awaited<ReturnType<typeof selectRetired>>[number]

/** As long as something has not answered, the layout's row in the directory says that there is something to drop. */
async function drop(layout: Retired, { env, db, namespace }: Changing): Promise<boolean> {
  const calls = keysOf(layout).map((key) => columnsObject(key, namespace).retire())
  const outcomes = await Promise.allSettled(calls)
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed) {
    logError('columns not dropped yet', failed.reason, { application: layout.applicationId })
    return false
  }
  try {
    for (const [number, activity] of openActivity(env, layout.databases ?? [])) {
      if (number === 1) continue
      const { applicationId } = layout
      const fence = (await readFences(activity, [applicationId])).get(applicationId) ?? 0
      if ((await selectWhetherRetired(db, layout)).length === 0) return false
      await activity.batch([requireFence(activity, applicationId, fence), ...dropLayoutIn(activity, layout)])
    }
    await db.batch(dropLayout(db, layout))
    return true
  } catch (error) {
    logError('layout not dropped yet', error, { application: layout.applicationId })
    return false
  }
}
