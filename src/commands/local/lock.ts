import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { CommandFailure } from '../failure.ts'
import { OWNER_ONLY_FILE } from '../private-files.ts'

const SQLITE_BUSY = 5
/** A command that looks for a running service holds the lock for a moment. */
const LOOK_MS = 100

/** Keeps the connection, and so the lock, as long as the process lives. */
let lock: DatabaseSync | undefined

/**
 * Makes this process the only service of the folder, with a lock of SQLite: it works on every system, and ends with the process
 * even if that is killed. Returns a function that releases it earlier. Throws `CommandFailure`, with this advice, if another process
 * has it.
 */
export function lockFolder(folder: string, advice = 'Stop it first.'): () => void {
  const file = join(folder, 'lock')
  const held = new DatabaseSync(file, { timeout: LOOK_MS })
  lock = held
  try {
    held.exec('begin exclusive')
  } catch (error) {
    if ((error as { errcode?: unknown }).errcode !== SQLITE_BUSY) throw error
    throw new CommandFailure(`Another "npm start" is running on ${folder}. ${advice}`)
  }
  chmodSync(file, OWNER_ONLY_FILE)
  return () => {
    held.close()
    if (lock === held) lock = undefined
  }
}
