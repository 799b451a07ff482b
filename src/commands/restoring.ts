import { closeSync, fsyncSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CommandFailure } from './failure.ts'
import { OWNER_ONLY_FILE } from './private-files.ts'
import { KEPT } from './wrangler.ts'

/** A restore of the local databases, from before the first of them is replaced until all of it is done. */
export interface Restoring {
  /** The backup's folder; null if databases were restored by other means. */
  readonly backup: string | null
  /** The folder for what was replaced. */
  readonly aside: string
}

/** Exists only during a restore, and after one that was killed. */
const MARKER = join(KEPT, 'restoring.json')

let isRestoring = false

/** Lets this process use databases of an unfinished restore, until `leaveRestore`; returns that restore. */
export function takeOverRestore(): Restoring | null {
  isRestoring = true
  return readRestoring()
}

export function leaveRestore(): void {
  isRestoring = false
}

function readRestoring(): Restoring | null {
  try {
    return JSON.parse(readFileSync(MARKER, 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw new CommandFailure(
      `${MARKER} cannot be read, so a restore did not finish. Run it again: npm run restore -- FOLDER`,
    )
  }
}

/** The marker is on disk when this returns. */
export function markRestoring(restoring: Restoring): void {
  writeFileSync(MARKER, JSON.stringify(restoring), { mode: OWNER_ONLY_FILE })
  syncToDisk(MARKER)
}

export function unmarkRestoring(): void {
  rmSync(MARKER, { force: true })
}

/** Makes a file and its entry in the folder survive a loss of power. */
export function syncToDisk(file: string): void {
  // Windows does not sync folders.
  for (const path of process.platform === 'win32' ? [file] : [file, dirname(file)]) {
    const opened = openSync(path, process.platform === 'win32' ? 'r+' : 'r')
    fsyncSync(opened)
    closeSync(opened)
  }
}

/** Throws `CommandFailure` after an unfinished restore: databases are missing or of different times. */
export function requireNoRestore(): void {
  const unfinished = isRestoring ? null : readRestoring()
  if (unfinished) throw failureOf(unfinished)
}

export function failureOf({ backup, aside }: Restoring): CommandFailure {
  return new CommandFailure(
    `A restore did not finish, so the database is incomplete. Run it again: npm run restore -- ${backup ?? '--time-travel'}\n` +
      `What it replaced is kept in ${aside}.`,
  )
}
