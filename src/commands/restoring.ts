import { closeSync, fsyncSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CommandFailure } from './failure.ts'
import { OWNER_ONLY_FILE } from './private-files.ts'
import { KEPT } from './wrangler.ts'

/** A restore of the local databases, from before the first of them is replaced until all of it is done. */
export interface Restoring {
  /** Its folder; null for databases that were taken back by other means. */
  readonly backup: string | null
  /** Where what was replaced goes. */
  readonly aside: string
}

/** There only for the time of a restore, so that one that was killed shows. */
const MARKER = join(KEPT, 'restoring.json')

/** Whether this process is the one that restores. */
let isRestoring = false

/** Lets this process work on databases that a restore left half-way; returns that restore. Ended by `leaveRestore`. */
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

/** On disk when it returns. */
export function markRestoring(restoring: Restoring): void {
  writeFileSync(MARKER, JSON.stringify(restoring), { mode: OWNER_ONLY_FILE })
  syncToDisk(MARKER)
}

export function unmarkRestoring(): void {
  rmSync(MARKER, { force: true })
}

/** A file, and that it lies in its folder, outlive a loss of power. */
export function syncToDisk(file: string): void {
  // Windows does not sync folders.
  for (const path of process.platform === 'win32' ? [file] : [file, dirname(file)]) {
    const opened = openSync(path, process.platform === 'win32' ? 'r+' : 'r')
    fsyncSync(opened)
    closeSync(opened)
  }
}

/** Throws `CommandFailure` where a restore did not finish: the databases are of two times, or missing. */
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
