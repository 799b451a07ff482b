import type { DrizzleD1Database } from 'drizzle-orm/d1'
import { drizzle } from 'drizzle-orm/d1'
import type { BaseSQLiteDatabase } from 'drizzle-orm/sqlite-core'

/** Builds statements; run one by awaiting it. */
export type Database = BaseSQLiteDatabase<'async', unknown>

/** The same, able to run several statements as one transaction with `batch`; `$client` is the binding beneath. */
export type BatchDatabase = DrizzleD1Database & { readonly $client: D1Database }

export function openDatabase(binding: D1Database): BatchDatabase {
  return drizzle(binding)
}
