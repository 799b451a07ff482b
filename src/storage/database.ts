import type { DrizzleD1Database } from 'drizzle-orm/d1'
import { drizzle } from 'drizzle-orm/d1'
import { DrizzleQueryError } from 'drizzle-orm/errors'
import type { BaseSQLiteDatabase } from 'drizzle-orm/sqlite-core'

/** Builds statements; run one by awaiting it. */
export type Database = BaseSQLiteDatabase<'async', unknown>

/** The same, able to run several statements as one transaction with `batch`; `$client` is the binding beneath. */
export type BatchDatabase = DrizzleD1Database & { readonly $client: D1Database }

export function openDatabase(binding: D1Database): BatchDatabase {
  return drizzle(binding)
}

/** What SQLite says of a statement that is wrong, or of data that it refuses: asking again would not help. */
const REFUSALS = /SQLITE_(ERROR|CONSTRAINT|MISMATCH|TOOBIG|RANGE|AUTH)/

/** Whether an error says that the database did not answer, rather than that it was asked something wrong. */
export function isDatabaseAway(error: unknown): boolean {
  if (error instanceof DrizzleQueryError) return isDatabaseAway(error.cause)
  return error instanceof Error && error.message.startsWith('D1_ERROR') && !REFUSALS.test(error.message)
}
