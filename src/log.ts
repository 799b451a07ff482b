import { DrizzleQueryError } from 'drizzle-orm/errors'

/**
 * One structured line. Fields are ours (ids, counts, statuses): never a key, a private key or anything a person said.
 * An error of the query builder repeats the bound values in its message, so its cause is logged in its stead.
 */
export function logError(event: string, error: unknown, fields: Readonly<Record<string, string | number>> = {}): void {
  console.error(JSON.stringify({ level: 'error', event, ...fields, error: describe(error) }))
}

function describe(error: unknown): string {
  if (error instanceof DrizzleQueryError) return describe(error.cause ?? 'a query failed')
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
