import { UTC_NAME } from '../../base/time/calendar.ts'
import { databaseOf, openActivity, type Placement, type UserShare, usersIn } from '../../storage/activity.ts'
import type { BatchDatabase, Database, Timeout } from '../../storage/database.ts'
import type { KeptDays } from './kept.ts'
import { selectObjects, selectPlacement } from './sql.ts'

const FIRST: Placement = [1]

/** Where an application's activity is, and what of it is kept. */
export interface ActivityScope extends KeptDays {
  readonly placement: Placement
}

/** Null if the application is gone. Never cached: data read from where it used to be may be incomplete. */
export async function findKeeping(directory: Database, applicationId: number): Promise<ActivityScope | null> {
  const [found] = await selectPlacement(directory, applicationId)
  if (!found) return null
  const { databases: placement, ...kept } = found
  return { placement, ...kept }
}

/** Like `findKeeping`, but an application that is gone is in the first database. */
export async function readKeeping(directory: Database, applicationId: number): Promise<ActivityScope> {
  return (await findKeeping(directory, applicationId)) ?? { placement: FIRST, keptFrom: null, timeZone: UTC_NAME }
}

async function readPlacement(directory: Database, applicationId: number): Promise<Placement> {
  return (await readKeeping(directory, applicationId)).placement
}

export interface ActivitySource {
  readonly env: Env
  readonly directory: Database
  readonly timeout?: Timeout
}

/** One of the databases that hold an application's activity, and the users in it. */
export interface ActivityPart {
  readonly db: BatchDatabase
  readonly users: UserShare
  /** Whether it holds this user, or the users of this partition. */
  readonly has: (userOrPart: number) => boolean
}

/** No more moves than this finish during one read. */
const MOST_MOVES = 3

/**
 * Reads an application's activity from all of its databases, and again if the application moved meanwhile: a move deletes rows only
 * after the control database names the new databases.
 */
export async function readActivity<T>(
  applicationId: number,
  { env, directory, timeout }: ActivitySource,
  read: (parts: readonly ActivityPart[]) => Promise<T>,
): Promise<T> {
  let placement = await readPlacement(directory, applicationId)
  for (let moves = 0; ; moves += 1) {
    const result = await read(partsOf(env, placement, timeout))
    const after = await readPlacement(directory, applicationId)
    if (String(after) === String(placement) || moves === MOST_MOVES) return result
    placement = after
  }
}

/**
 * Reads activity that is too much for one read, in an order, chunk by chunk. A chunk counts only if the placement still holds once it
 * is read; otherwise it is dropped, and `read` starts over after the chunk that was last yielded (at first an empty one).
 */
export async function* readPieces<T>(
  applicationId: number,
  { env, directory, timeout }: ActivitySource,
  read: (parts: readonly ActivityPart[], before: readonly T[]) => AsyncGenerator<T[]>,
): AsyncGenerator<T[]> {
  let placement = await readPlacement(directory, applicationId)
  let pieces = read(partsOf(env, placement, timeout), [])
  let before: readonly T[] = []
  try {
    for (;;) {
      const { value, done } = await pieces.next()
      const after = await readPlacement(directory, applicationId)
      if (String(after) !== String(placement)) {
        await pieces.return(undefined)
        placement = after
        pieces = read(partsOf(env, placement, timeout), before)
      } else if (done) return
      else {
        yield value
        before = value
      }
    }
  } finally {
    await pieces.return(undefined)
  }
}

function partsOf(env: Env, placement: Placement, timeout?: Timeout): ActivityPart[] {
  return [...openActivity(env, placement, timeout)].map(([number, db]) => {
    const has = (userOrPart: number) => databaseOf(placement, userOrPart) === number
    return { db, users: usersIn(placement, number), has }
  })
}

/** The partitionings of an application, according to one of its databases: the number of each that has columns. */
export async function readLayouts(db: Database, applicationId: number): Promise<number[]> {
  const rows = await selectObjects(db, applicationId)
  return rows.length > 0 ? rows.map(({ objects }) => objects) : [1]
}
