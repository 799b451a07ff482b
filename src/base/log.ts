import { DrizzleQueryError } from 'drizzle-orm/errors'
import { Failure } from './errors.ts'

type Fields = Readonly<Record<string, string | number | boolean | null>>

/** One structured line. Fields are our own (ids, counts, statuses): never a key, a private key or text from a person. */
export function logInfo(event: string, fields: Fields): void {
  console.log(JSON.stringify({ level: 'info', event, ...fields }))
}

/**
 * Logs an error. The query builder's errors repeat the bound values, so only their cause is logged; likewise for a failure,
 * whose own message is meant for the caller.
 */
export function logError(event: string, error: unknown, fields: Fields = {}): void {
  console.error(JSON.stringify({ level: 'error', event, ...fields, error: describe(error) }))
}

/** Runs a job and logs one line with its result, its duration and whether it failed; returns the result. */
export async function logJob<F extends Fields>(event: string, job: () => Promise<F>, fields: Fields = {}): Promise<F> {
  const start = Date.now()
  try {
    const found = await job()
    logInfo(event, { ...fields, ...found, ms: Date.now() - start })
    return found
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
