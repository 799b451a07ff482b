import { Failure } from '../base/errors.ts'

/** A failure that the user can fix; the message says how, in whole sentences. All commands throw it. */
export class CommandFailure extends Error {}

/** Runs a command. A failure prints its message without a stack, and the process ends with 1. */
export async function runCommand(command: () => Promise<void>): Promise<void> {
  try {
    await command()
  } catch (error) {
    const failure = findFailure(error)
    if (!failure) throw error
    console.error(failure.message)
    process.exitCode = 1
  }
}

/** The query builder wraps errors of queries. */
function findFailure(error: unknown): Error | null {
  if (error instanceof CommandFailure || error instanceof Failure) return error
  if (!(error instanceof Error)) return null
  return isOfDisk(error) ? new CommandFailure(adviceOnDisk()) : findFailure(error.cause)
}

const SQLITE_IOERR = 10
const SQLITE_FULL = 13

/** Whether the disk is full, or so full that SQLite cannot make the files that it needs beside a database. */
export function isOfDisk({ code, errcode }: Error & { code?: unknown; errcode?: unknown }): boolean {
  return code === 'ENOSPC' || (code === 'ERR_SQLITE_ERROR' && (errcode === SQLITE_IOERR || errcode === SQLITE_FULL))
}

function adviceOnDisk(): string {
  const folder = process.env.MAUVE_STATE || '.wrangler'
  return `The disk is full or cannot be written to. Look at "df -h ${folder}" and "du -sh ${folder}/*", free some space, and try again.`
}
