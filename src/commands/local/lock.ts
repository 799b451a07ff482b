import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { CommandFailure } from '../failure.ts'
import { OWNER_ONLY_FILE } from '../private-files.ts'

const SQLITE_BUSY = 5
/** A command that looks whether a service runs holds it for a moment. */
const LOOK_MS = 100

/** Held as long as the process lives: closed with the process, however that ends. */
let lock: DatabaseSync | undefined

/**
 * Makes this process the only service of the folder; throws where another one is. SQLite brings a lock of the operating system
 * that works everywhere and goes with the process that holds it, also with one that is killed. Returns what gives it back earlier.
 */
export function lockFolder(folder: string): () => void {
  const file = join(folder, 'lock')
  const held = new DatabaseSync(file, { timeout: LOOK_MS })
  lock = held
  try {
    held.exec('begin exclusive')
  } catch (error) {
    if ((error as { errcode?: unknown }).errcode !== SQLITE_BUSY) throw error
    throw new CommandFailure(
      `Another "npm start" is running on ${folder}. Stop it first, or name another folder: MAUVE_STATE=… npm start`,
    )
  }
  chmodSync(file, OWNER_ONLY_FILE)
  return () => {
    held.close()
    if (lock === held) lock = undefined
  }
}
