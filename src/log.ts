import { DrizzleQueryError } from 'drizzle-orm/errors'
import { Failure } from './errors.ts'

type Fields = Readonly<Record<string, string | number | boolean | null>>

/** One structured line. Fields are ours (ids, counts, statuses): never a key, a private key or anything a person said. */
export function logInfo(event: string, fields: Fields): void {
  console.log(JSON.stringify({ level: 'info', event, ...fields }))
}

/**
 * The same, of something that went wrong. An error of the query builder repeats the bound values in its message, so its
 * cause is logged in its stead; so is that of a failure, which has words for the caller only.
 */
export function logError(event: string, error: unknown, fields: Fields = {}): void {
  console.error(JSON.stringify({ level: 'error', event, ...fields, error: describe(error) }))
}

/** Does a job and writes its line: what it says of itself, how long it took, and whether it failed. */
export async function logJob(event: string, job: () => Promise<Fields>, fields: Fields = {}): Promise<void> {
  const start = Date.now()
  try {
    const found = await job()
    logInfo(event, { ...fields, ...found, ms: Date.now() - start })
  } catch (error) {
    logError(event, error, { ...fields, ms: Date.now() - start })
    throw error
  }
}

function describe(error: unknown): string {
  if (error instanceof DrizzleQueryError) return describe(error.cause ?? 'a query failed')
  if (error instanceof Failure && error.cause) return describe(error.cause)
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
