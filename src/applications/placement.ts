import { databaseOf, openActivity, type Placement, type UserShare, usersIn } from '../storage/activity.ts'
import type { BatchDatabase, Database, Timeout } from '../storage/database.ts'
import { selectPlacement } from './sql.ts'

const FIRST: Placement = [1]

/** Where an application's activity is, and the first day that is kept (whole days since 1970 UTC; null: all are). */
export interface Keeping {
  readonly placement: Placement
  readonly keptFrom: number | null
}

/** How it is now; null if the application is gone. Nobody remembers it: what is read where it was may be incomplete. */
export async function findKeeping(directory: Database, applicationId: number): Promise<Keeping | null> {
  const [found] = await selectPlacement(directory, applicationId)
  return found ? { placement: found.databases, keptFrom: found.keptFrom } : null
}

/** The same. What is gone is in the first database. */
export async function readKeeping(directory: Database, applicationId: number): Promise<Keeping> {
  return (await findKeeping(directory, applicationId)) ?? { placement: FIRST, keptFrom: null }
}

async function readPlacement(directory: Database, applicationId: number): Promise<Placement> {
  return (await readKeeping(directory, applicationId)).placement
}

export interface Reading {
  readonly env: Env
  readonly directory: Database
  readonly timeout?: Timeout
}

/** One of the databases that an application's activity is in, and whom it has there. */
export interface ActivityPart {
  readonly db: BatchDatabase
  readonly users: UserShare
  /** Whether it has this user, or those of this part. */
  readonly has: (userOrPart: number) => boolean
}

/** More moves than that do not end during one read. */
const MOST_MOVES = 3

/**
 * Reads an application's activity in all databases where it is. It is read again where the application moved meanwhile: rows are
 * deleted behind it only after the directory says where it is now.
 */
export async function readActivity<T>(
  applicationId: number,
  { env, directory, timeout }: Reading,
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
 * Reads what is too much to be read at once, in an order. Each piece is read of a placement that still holds when it is there;
 * otherwise it is dropped, and `read` begins anew: behind the piece that it gave last, which is empty at first.
 */
export async function* readPieces<T>(
  applicationId: number,
  { env, directory, timeout }: Reading,
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
