import { logError } from '../log.ts'
import type { BatchDatabase } from '../storage/database.ts'
import { withTimeout } from '../time/with-timeout.ts'
import { keysOf, nameOfObject } from './object-name.ts'
import { dropLayout, type Layout, promote, selectReady, selectRetired } from './sql.ts'

// How the number of an application's objects changes while it is asked and sent to:
//
// 1. A command adds the new layout, and for each of its objects a change of all time. From then on every delivery marks changes
//    of both layouts, in the batch that stores the events. So each event is either in the pass over everything or has a change.
// 2. The new objects read everything, then their changes, and write their daily figures. The old ones answer.
// 3. Here: once they are up to date, `applications.objects` names the new layout and the old one is retired, in one transaction.
//    What was stored a moment before has changes of the new objects, and each answer says in figures-as-of how far it is.
// 4. The old layout is kept up for longer than anybody remembers that it answers. Then its columns, changes and figures go.
//
// After a crash between any two steps the next cron goes on where this one was.

/** A layout takes over when nothing older waits to be read, so that no answer jumps back in time by more. */
const MOST_BEHIND_MS = 60_000
/** Copies of `applications.objects` live for 75 seconds, in KV for 120. */
const KEEP_RETIRED_MS = 10 * 60_000
/** A Worker may make 1,000 calls an invocation; a layout takes up to 17 here. */
const LAYOUTS_AT_ONCE = 8
const RETIRE_TIMEOUT_MS = 20_000

interface Changing {
  readonly db: BatchDatabase
  readonly namespace: Env['APPLICATIONS']
  /** Milliseconds since 1970 UTC. */
  readonly now: number
}

/** Lets layouts that are ready take over, and drops those that were retired. Returns how many. */
export async function changeLayouts(changing: Changing): Promise<{ promoted: number; dropped: number }> {
  const { db, now } = changing
  const ready = await selectReady(db, { upTo: now - MOST_BEHIND_MS, limit: LAYOUTS_AT_ONCE })
  for (const layout of ready) await db.batch(promote(db, { ...layout, now }))
  let dropped = 0
  for (const layout of await selectRetired(db, { before: now - KEEP_RETIRED_MS, limit: LAYOUTS_AT_ONCE })) {
    if (await drop(layout, changing)) dropped += 1
  }
  return { promoted: ready.length, dropped }
}

/** The objects go first: as long as one of them has not answered, the layout's row says that there is something to drop. */
async function drop(layout: Layout, { db, namespace }: Changing): Promise<boolean> {
  const calls = keysOf(layout).map((key) =>
    withTimeout(namespace.getByName(nameOfObject(key)).retire(key), RETIRE_TIMEOUT_MS),
  )
  const outcomes = await Promise.allSettled(calls)
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed) logError('columns not dropped yet', failed.reason, { application: layout.applicationId })
  else await db.batch(dropLayout(db, layout))
  return !failed
}
